"""The server of an app with FedAdagrad, in the newer style."""

from flwr.app import ArrayRecord, Context
from flwr.serverapp import Grid, ServerApp
from flwr.serverapp.strategy import FedAdagrad

from adaptive_app.task import Net

app = ServerApp()


@app.main()
def main(grid: Grid, context: Context) -> None:
    fraction_train: float = context.run_config["fraction-train"]
    strategy = FedAdagrad(fraction_train=fraction_train, fraction_evaluate=0.0, eta=0.2, eta_l=0.05, tau=1e-2)
    strategy.start(
        grid=grid,
        initial_arrays=ArrayRecord(Net().state_dict()),
        num_rounds=context.run_config.get("server.rounds", 3),
    )
