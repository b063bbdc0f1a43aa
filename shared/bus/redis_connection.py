"""The connection to Redis: waits, says what for, and recovers by itself.

Apart from the one to NATS because the client is large: a service without Redis does not load it.
"""

import asyncio
import random

from redis.asyncio import Redis, from_url
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialWithJitterBackoff
from redis.exceptions import RedisError

from shared.bus.connection import BACKOFF, PING_INTERVAL_SECONDS, Tell, public, say_nothing
from shared.logs import Log

__all__ = ["Redis", "connect_redis"]

REDIS_RETRIES = 3
REDIS_TIMEOUT_SECONDS = 2.0
REDIS_CONNECTIONS_MAX = 64


async def connect_redis(url: str, log: Log, *, tell: Tell = say_nothing) -> Redis:
    """A Redis client that has answered once. Waits until it does; cancel it to give up.

    Afterwards a command is tried again `REDIS_RETRIES` times over a lost connection, then raises a `RedisError`.
    """
    client: Redis = from_url(
        url,
        retry=Retry(ExponentialWithJitterBackoff(base=0.05, cap=0.5), REDIS_RETRIES),
        socket_timeout=REDIS_TIMEOUT_SECONDS,
        socket_connect_timeout=REDIS_TIMEOUT_SECONDS,
        health_check_interval=PING_INTERVAL_SECONDS,
        max_connections=REDIS_CONNECTIONS_MAX,
    )
    attempt = 0
    while True:
        try:
            await client.ping()
        except (RedisError, OSError) as error:
            attempt += 1
            seconds = BACKOFF.delay(attempt, random.random())  # noqa: S311 - jitter, not a secret
            tell(f"waiting for Redis at {public(url)}")
            log.warning(
                "waiting for Redis",
                address=public(url),
                attempt=attempt,
                error=str(error),
                retry_seconds=round(seconds, 2),
            )
            await asyncio.sleep(seconds)
        else:
            log.info("connected to Redis", address=public(url))
            return client
