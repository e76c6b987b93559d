import ast
import re
import unittest
from pathlib import Path

import aisle_sdk

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


class ReadmeTest(unittest.TestCase):
    def test_the_examples_use_only_what_exists(self) -> None:
        self.assertGreaterEqual(len(BLOCKS), 9)
        for block in BLOCKS:
            for node in ast.walk(ast.parse(block)):
                if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "aisle":
                    self.assertTrue(hasattr(aisle_sdk.Client, node.attr), node.attr)
                if isinstance(node, ast.ImportFrom) and node.module in ("aisle_sdk", "aisle_sdk.models"):
                    module = aisle_sdk if node.module == "aisle_sdk" else aisle_sdk.models
                    for name in node.names:
                        self.assertTrue(hasattr(module, name.name), name.name)

    def test_every_error_is_described(self) -> None:
        errors = [name for name in aisle_sdk.__all__ if name.endswith("Error")]
        self.assertEqual([name for name in errors if f"`{name}`" not in README], [])
