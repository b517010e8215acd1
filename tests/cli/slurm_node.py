"""A Slurm of one node, made of Debian's daemons with all their files in one folder, without accounting and cgroups."""

import os
import shutil
import signal
import socket
import subprocess
import time

DAEMONS = ("munged", "slurmctld", "slurmd")
TOOLS = ("sbatch", "scontrol", "squeue", "scancel", "sinfo")

# The node says that it has more cores than it has, so that all tasks run at once on any machine.
CONFIGURATION = """
ClusterName=lagnet
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=5
SchedulerParameters=sched_interval=1,batch_sched_delay=0
NodeName={host} NodeAddr=127.0.0.1 CPUs=8 RealMemory=100000 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def why_not():
    """Why there can be no Slurm here; "" if it can be tried."""
    if os.geteuid() != 0:
        return "Slurm's daemons need root"
    missing = [name for name in (*DAEMONS, *TOOLS) if not shutil.which(name)]
    return f"not installed: {', '.join(missing)}" if missing else ""


class SlurmNode:
    def __init__(self, folder):
        self.folder = folder
        self.started = []
        for name in ("state", "spool"):
            (folder / name).mkdir()
        (folder / "key").write_bytes(os.urandom(1024))
        (folder / "key").chmod(0o600)
        ends = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
        ports = [end.getsockname()[1] for end in ends]
        for end in ends:
            end.close()
        host = socket.gethostname().split(".")[0]
        text = CONFIGURATION.format(host=host, ports=ports, folder=folder)
        (folder / "slurm.conf").write_text(text, encoding="utf-8")
        self.environment = {**os.environ, "SLURM_CONF": str(folder / "slurm.conf")}

    def start(self):
        """None, or the reason why it did not start; stop() ends the programs that have started."""
        files = [f"--{what}={self.folder}/munge.{what.split('-')[0]}"
                 for what in ("socket", "pid-file", "log-file", "seed-file")]
        for command in (["munged", "--foreground", "--force", f"--key-file={self.folder}/key", *files],
                        ["slurmctld", "-D"], ["slurmd", "-D"]):
            with open(self.folder / f"{command[0]}.out", "wb") as out:
                self.started.append(subprocess.Popen(command, env=self.environment, stdout=out, stderr=out,
                                                     start_new_session=True))
        end = time.monotonic() + 60
        while time.monotonic() < end:
            for process in self.started:
                if process.poll() is not None:
                    name = os.path.basename(process.args[0])
                    return f"{name}: {(self.folder / (name + '.out')).read_text(encoding='utf-8')[-300:]}"
            state = subprocess.run(["sinfo", "--noheader", "--format=%T"], env=self.environment, capture_output=True,
                                   text=True, timeout=60).stdout
            if state.strip() == "idle":
                return ""
            time.sleep(0.1)
        return "the node was not idle within a minute"

    def stop(self):
        for process in reversed(self.started):
            process.send_signal(signal.SIGTERM)
        for process in reversed(self.started):
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def ask(self, *command, cwd=None):
        done = subprocess.run(command, env=self.environment, cwd=cwd, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, (command, done.stderr)
        return done.stdout.strip()
