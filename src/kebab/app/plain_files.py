"""Opens plain files and nothing else: what took a file's place since somebody looked at it holds nobody up.

Opening a pipe waits for whoever writes to it, perhaps for ever, and a look at the file beforehand is a moment too old.
"""

import errno
import os
import stat
from pathlib import Path
from typing import IO

_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def open_plain(path: Path) -> IO[bytes]:
    """The file, or the one a link leads to. Raises OSError, also for what is no file."""
    opened = os.open(path, _FLAGS)
    # Asked before a file is made of it: making one of a folder fails, and leaves it open.
    if not stat.S_ISREG(os.fstat(opened).st_mode):
        os.close(opened)
        raise OSError(errno.EINVAL, "it is no file any more")
    return os.fdopen(opened, "rb")


def read_plain(path: Path, most: int) -> bytes:
    """At most so many bytes of it. Raises OSError."""
    with open_plain(path) as file:
        return file.read(most)
