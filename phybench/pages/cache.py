"""What all processes remember together for a while: tries to sign in, who has what under way."""

import re
from typing import Any

from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError


class ForgivingRedisCache(RedisCache):
    """A cache that remembers nothing while the broker is away: what limits by it limits nobody."""

    def add(self, key: Any, value: Any, *args: Any, **options: Any) -> bool:
        try:
            return super().add(key, value, *args, **options)
        except RedisError:
            return True

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        try:
            return super().get(key, default, version)
        except RedisError:
            return default

    def set(self, *args: Any, **options: Any) -> None:
        try:
            super().set(*args, **options)
        except RedisError:
            return

    def delete(self, *args: Any, **options: Any) -> bool:
        try:
            return super().delete(*args, **options)
        except RedisError:
            return False

    def incr(self, *args: Any, **options: Any) -> int:
        try:
            return int(super().incr(*args, **options))
        except RedisError:
            return 1

    def clear(self) -> None:
        """Forget its own keys: the rest of the database is Celery's, and other installations'."""
        store: Any = self._cache  # type: ignore[attr-defined]  # stubs know of no client
        client = store.get_client(None, write=True)
        prefix = re.sub(r"([*?\[\]\\])", r"\\\1", self.key_prefix)
        try:
            for key in client.scan_iter(match=f"{prefix}:*", count=1000):
                client.delete(key)
        except RedisError:
            return
