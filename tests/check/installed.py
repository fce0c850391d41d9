#!/usr/bin/env python3
"""Installs the project into a directory of its own and uses it from an outside project: once through
find_package(Inlens), in C and in C++, once through pkg-config. What was built that way is then run.

  installed.py CMAKE BUILD_DIRECTORY VERSION
"""

import os
import pathlib
import subprocess
import sys
import tempfile

C_PROGRAM = """\
#include <inlens/inlens.h>
#include <stdio.h>

int main(void) {
  const char settings[] = "{\\"console\\": {\\"port\\": 0}}";
  inlens_start_options options = {sizeof options, INLENS_ABI_VERSION};
  inlens_request_info info = {sizeof info};
  inlens_figures figures = {sizeof figures};
  options.config_json.data = settings;
  options.config_json.size = sizeof settings - 1;
  if (inlens_start(&options) != INLENS_OK) return 1;
  inlens_request_end(inlens_request_begin(&info), NULL);
  inlens_figures_get(&figures);
  printf("%s %d\\n", inlens_version(), (int)figures.requests);
  return inlens_stop();
}
"""

CPP_PROGRAM = """\
#include <inlens/inlens.hpp>
#include <iostream>

int main() {
  inlens::StartOptions options;
  options.config_json = R"({"console": {"port": 0}})";
  if (inlens::start(options) != INLENS_OK) return 1;
  inlens::Request({"GET", "/"}).end(200);
  std::cout << inlens_version() << " " << inlens::figures().requests << "\\n";
  return inlens::stop();
}
"""

PROJECT = """\
cmake_minimum_required(VERSION 3.16)
project(Outside C CXX)
find_package(Inlens @VERSION@ REQUIRED)
add_executable(from_c main.c)
add_executable(from_cpp main.cpp)
target_link_libraries(from_c PRIVATE Inlens::inlens)
target_link_libraries(from_cpp PRIVATE Inlens::inlens)
set_target_properties(from_cpp PROPERTIES CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON)
"""


def run(*command: str, environment: dict[str, str] | None = None) -> str:
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **(environment or {})})
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\nended with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def main() -> int:
    cmake, build, version = sys.argv[1:]
    wrong = []

    def check_program(name: str, printed: str) -> None:
        print(f"{name}: {printed.strip()}")
        if printed.strip() != f"{version} 1":
            wrong.append(f"{name} printed {printed!r}")

    with tempfile.TemporaryDirectory() as temporary:
        prefix, outside = pathlib.Path(temporary, "prefix"), pathlib.Path(temporary, "outside")
        run(cmake, "--install", build, "--prefix", str(prefix))
        outside.mkdir()
        (outside / "main.c").write_text(C_PROGRAM)
        (outside / "main.cpp").write_text(CPP_PROGRAM)
        (outside / "CMakeLists.txt").write_text(PROJECT.replace("@VERSION@", version))

        run(cmake, "-S", str(outside), "-B", str(outside / "build"), f"-DCMAKE_PREFIX_PATH={prefix}")
        run(cmake, "--build", str(outside / "build"))
        for name in ("from_c", "from_cpp"):
            check_program(name, run(str(outside / "build" / name)))

        found = [path.parent for path in prefix.rglob("inlens.pc")]
        if len(found) != 1:
            sys.exit(f"inlens.pc was installed in {found}")
        package = {"PKG_CONFIG_PATH": str(found[0])}
        if run("pkg-config", "--modversion", "inlens", environment=package).strip() != version:
            wrong.append("pkg-config tells another version")
        flags = run("pkg-config", "--cflags", "--libs", "inlens", environment=package).split()
        libraries = run("pkg-config", "--variable=libdir", "inlens", environment=package).strip()
        program = str(outside / "from_pkg_config")
        run("cc", "-std=c99", "-pedantic", "-Wall", "-Werror", str(outside / "main.c"), "-o", program, *flags)
        check_program("pkg-config", run(program, environment={"LD_LIBRARY_PATH": libraries}))

        installed = sorted(path.relative_to(prefix).as_posix() for path in prefix.rglob("*") if path.is_file())
        strange = [path for path in installed if not path.startswith(("include/inlens/", "lib", "bin/inlens"))]
        if strange:
            wrong.append(f"installed elsewhere: {strange}")
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
