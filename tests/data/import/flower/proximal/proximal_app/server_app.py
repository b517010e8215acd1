"""The server of an app with FedProx, in the older style."""

from flwr.common import Context
from flwr.server import ServerApp, ServerAppComponents, ServerConfig
from flwr.server.strategy import FedProx


def server_fn(context: Context):
    rounds = context.run_config["num-server-rounds"]
    strategy = FedProx(
        fraction_fit=1.0,
        min_available_clients=2,
        proximal_mu=context.run_config["proximal-mu"],
        on_fit_config_fn=lambda server_round: {"round": server_round},
    )
    return ServerAppComponents(strategy=strategy, config=ServerConfig(num_rounds=rounds))


app = ServerApp(server_fn=server_fn)
