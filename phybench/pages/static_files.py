"""Static files as `dev.py run` serves them: named after their content, compressed beforehand."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import brotli
from django.contrib.staticfiles.storage import ManifestStaticFilesStorage
from whitenoise.compress import Compressor

NOT_WORTH_IT = (*Compressor.SKIP_COMPRESS_EXTENSIONS, "ttf", "map")
"""What is compressed as it is, or no browser of today asks for."""


class CompressedOnceStorage(ManifestStaticFilesStorage):
    """
    Put a compressed file beside each, which WhiteNoise sends where a browser takes it.

    Once: its name says what is in it, so at the next start it is still right. WhiteNoise's own
    storage compresses everything anew at each.
    """

    def post_process(
        self, *args: Any, **options: Any
    ) -> Iterator[tuple[str, str, bool] | tuple[str, None, RuntimeError]]:
        compressor = Compressor(extensions=NOT_WORTH_IT, quiet=True)
        # KaTeX is a twelfth smaller than by gzip. The best that Brotli can would take twelve times
        # as long for a tenth more.
        compressor.compress_brotli = partial(brotli.compress, quality=9)
        for made in super().post_process(*args, **options):
            yield made
            # One that could not be named has none.
            if (hashed := made[1]) and compressor.should_compress(hashed):
                path = self.path(hashed)
                if not Path(f"{path}.gz").exists():
                    compressor.compress(path)
