"""An import-linter contract that is a table: each package, and the packages it may import directly.

import-linter's own contracts need every package to exist; a table may name packages still to come.
"""

from typing import Any

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


class TableContract(Contract):
    # Declared as fields, read as their values.
    root: Any = fields.StringField()
    may_import: Any = fields.ListField(subfield=fields.StringField())
    may_import_root: Any = fields.ListField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:  # noqa: ARG002  # import-linter's signature
        broken = [
            f"{importer} -> {imported}"
            for importer in sorted(graph.modules)
            for imported in sorted(graph.find_modules_directly_imported_by(importer))
            if self._forbids(importer, imported)
        ]
        return ContractCheck(kept=not broken, metadata={"broken": broken})

    def render_broken_contract(self, check: ContractCheck) -> None:
        for line in check.metadata["broken"]:
            output.print_error(f"{line} is not in the table")

    def _forbids(self, importer: str, imported: str) -> bool:
        source, target = self._package(importer), self._package(imported)
        if source in (None, target):
            return False
        if imported == self.root:
            return source not in self.may_import_root  # its names lead to every package
        return target is not None and target not in self._table().get(str(source), set())

    def _package(self, module: str) -> str | None:
        root, _, rest = module.partition(".")
        return rest.partition(".")[0] if root == self.root and rest else None

    def _table(self) -> dict[str, set[str]]:
        lines = (str(line).partition(":") for line in self.may_import)
        return {package.strip(): set(allowed.split()) for package, _, allowed in lines}
