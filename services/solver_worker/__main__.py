"""`python -m services.solver_worker`: one worker process."""

from services.solver_worker.app import run
from shared.service import main
from shared.settings import SolverWorkerSettings

if __name__ == "__main__":
    main("solver-worker", SolverWorkerSettings, run)
