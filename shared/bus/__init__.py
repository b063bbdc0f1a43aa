"""The bus: ports that the services use, and their NATS and Redis sides."""
