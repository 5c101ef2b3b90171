"""The build hook: builds what the package needs from its sources, and tags the wheel for its platform."""

import platform
import re
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).resolve().parent / "scripts"))
from building import CannotBuild
from kernel_output import KERNEL
from outputs import OUTPUTS, outdated, renew

OLDEST_GLIBC = (2, 17)  # what installers take for any Linux of today: manylinux2014
C_LIBRARIES = {b"libc.so.6", b"libm.so.6"}


class BuiltOutputs(BuildHookInterface[Any]):
    """Renews every output that is out of date, also for editable installs."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Return the packages that building needs and the machine lacks; none where all is up to date."""
        root = Path(self.root)
        return [need for output in OUTPUTS if outdated(output, root) for need in output.requirements()]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build, and name the outputs for the wheel; without the kernel the package still works, slower."""
        root = Path(self.root)
        for output in OUTPUTS:
            if outdated(output, root):
                try:
                    renew(output, root)
                except CannotBuild as error:
                    self.app.display_warning(f"{output.place} was not built: {error}")
        build_data["artifacts"] += [str(output.place) for output in OUTPUTS if (root / output.place).exists()]
        if version != "editable":  # sentences name pages, which `thirdcard docs` prints
            pages = root.joinpath("docs").glob("*.md")
            build_data["force_include"].update({str(page): f"thirdcard/docs/{page.name}" for page in pages})
        if (root / KERNEL.place).exists():
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{platform_of(root / KERNEL.place)}"


def platform_of(library: Path) -> str:
    """Return the platform of a wheel with a library: any Linux whose C library is as new as it needs.

    The names of the versions that it needs, and of the libraries, are strings in it (PEP 600).
    """
    machine = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    content = library.read_bytes()
    others = set(re.findall(rb"\x00(lib[\w+.-]+\.so[.\d]*)(?=\x00)", content)) - C_LIBRARIES
    if platform.libc_ver()[0] != "glibc" or others or not machine.startswith("linux_"):
        return machine
    needed = (tuple(map(int, found)) for found in re.findall(rb"GLIBC_(\d+)\.(\d+)", content))
    major, minor = max(needed, default=OLDEST_GLIBC)
    major, minor = max((major, minor), OLDEST_GLIBC)
    return f"manylinux_{major}_{minor}_{machine.removeprefix('linux_')}"
