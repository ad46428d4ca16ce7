"""The library, for Conan 2: `conan create .`"""

import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, get, load, rmdir


class Linkgistic(ConanFile):
    name = "linkgistic"
    description = "Monotone regression, calibration and generalised linear models that learn their loss"
    homepage = url = "https://github.com/linkgistic/linkgistic"
    license = "Apache-2.0"
    topics = ("calibration", "isotonic-regression", "statistics")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False]}
    default_options = {"shared": False, "fPIC": True}
    implements = ["auto_shared_fpic"]
    exports_sources = "CMakeLists.txt", "LICENSE", "cmake/*", "data/auto-mpg.csv", "include/*", "src/*"

    def set_version(self):
        text = load(self, os.path.join(self.recipe_folder, "CMakeLists.txt"))
        self.version = re.search(r"VERSION ([0-9.]+) LANGUAGES", text)[1]

    def requirements(self):
        self.requires("eigen/3.4.0", visible=False)
        self.requires("highway/1.2.0")
        self.requires("nlohmann_json/3.11.3", visible=False)
        self.requires("nlopt/2.7.1")
        self.requires("zlib/[>=1.2.13 <2]")

    def validate(self):
        check_min_cppstd(self, 20)

    def layout(self):
        cmake_layout(self)

    def source(self):
        # Conan's registry does not have Random123, which is headers only.
        get(self, "http://deb.debian.org/debian/pool/main/libr/librandom123/librandom123_1.14.0+dfsg.orig.tar.xz",
            sha256="0ed9bf1de7732303f35529ff9b42b0ab84e1fbeaad8ba97768440d8e2b109e87",
            destination="deps", strip_root=True)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["LINKGISTIC_BUILD_APP"] = False
        toolchain.cache_variables["LINKGISTIC_DEPS"] = os.path.join(self.source_folder, "deps")
        toolchain.generate()
        deps = CMakeDeps(self)
        deps.set_property("highway", "cmake_file_name", "hwy")
        deps.set_property("highway", "cmake_target_name", "hwy::hwy")
        deps.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()
        for folder in ("lib/cmake", "lib/pkgconfig", "share"):
            rmdir(self, os.path.join(self.package_folder, folder))

    def package_info(self):
        self.cpp_info.libs = ["linkgistic"]
        self.cpp_info.set_property("cmake_target_name", "linkgistic::linkgistic")
        if not self.options.shared:
            self.cpp_info.system_libs = ["dl", "m"]
            self.cpp_info.exelinkflags = self.cpp_info.sharedlinkflags = ["-fopenmp"]
