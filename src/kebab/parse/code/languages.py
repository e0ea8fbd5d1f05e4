"""One row per language: which nodes of its grammar are units, what they are called, and how their names are joined.

Rows are data for the one walker of `units`; only the parser knows a language by name besides.
"""

from kebab.parse.code import names, scopes
from kebab.parse.code.declarators import declared, tagged
from kebab.parse.code.row import Language, kinds, words

RUST = Language(
    name="rust",
    grammar=("tree_sitter_rust", "language"),
    glue="<top-level>",
    joiner="::",
    scope=scopes.crate,
    units=kinds(
        "function: function_item function_signature_item; struct: struct_item; enum: enum_item; union: union_item;"
        "type: type_item associated_type; macro: macro_definition; constant: const_item; static: static_item"
    ),
    containers=kinds("trait: trait_item; impl: impl_item; module: mod_item"),
    leads=words("line_comment block_comment attribute_item"),
    inside=words("foreign_mod_item declaration_list"),
    readers={"impl_item": names.implemented},
)

PYTHON = Language(
    name="python",
    grammar=("tree_sitter_python", "language"),
    glue="<module>",
    joiner=".",
    scope=scopes.dotted,
    units=kinds("function: function_definition; variable: assignment; type: type_alias_statement"),
    containers=kinds("class: class_definition"),
    leads=words("comment"),
    wrappers=words("decorated_definition expression_statement"),
    inside=words(
        "if_statement try_statement with_statement elif_clause else_clause except_clause except_group_clause "
        "finally_clause block"
    ),
    nests=words("function_definition"),
    readers={"assignment": names.set_once, "type_alias_statement": names.alias},
)

_SCRIPT_UNITS = (
    "function: function_declaration generator_function_declaration arrow_function function_expression "
    "generator_function assignment_expression; method: method_definition;"
    "constant: lexical_declaration; variable: variable_declaration;"
)
_SCRIPT_READERS: dict[str, names.Reader] = {
    "lexical_declaration": names.bound,
    "variable_declaration": names.bound,
    "assignment_expression": names.assigned,
    "arrow_function": names.called("default"),
    "function_expression": names.called("default"),
    "generator_function": names.called("default"),
    "class": names.called("default"),
}

JAVASCRIPT = Language(
    name="javascript",
    grammar=("tree_sitter_javascript", "language"),
    glue="<module>",
    joiner=".",
    scope=scopes.slashed,
    units=kinds(f"{_SCRIPT_UNITS} field: field_definition"),
    containers=kinds("class: class_declaration class"),
    leads=words("comment decorator"),
    wrappers=words("export_statement expression_statement"),
    nests=words("function_declaration generator_function_declaration"),
    readers={**_SCRIPT_READERS, "field_definition": names.by_field("property")},
)

TYPESCRIPT = JAVASCRIPT._replace(
    name="typescript",
    grammar=("tree_sitter_typescript", "language_typescript"),
    units=kinds(
        f"{_SCRIPT_UNITS} field: public_field_definition property_signature; enum: enum_declaration;"
        "type: type_alias_declaration; function: function_signature; method: method_signature abstract_method_signature"
    ),
    containers=kinds(
        "class: class_declaration abstract_class_declaration class; interface: interface_declaration;"
        "namespace: internal_module module"
    ),
    wrappers=words("export_statement expression_statement ambient_declaration"),
    readers=_SCRIPT_READERS,
)
TSX = TYPESCRIPT._replace(grammar=("tree_sitter_typescript", "language_tsx"))

GO = Language(
    name="go",
    grammar=("tree_sitter_go", "language"),
    glue="<top-level>",
    joiner=".",
    scope=scopes.packaged,
    units=kinds(
        "function: function_declaration; method: method_declaration; type: type_spec type_alias;"
        "constant: const_declaration; variable: var_declaration"
    ),
    containers={},
    leads=words("comment"),
    inside=words("type_declaration"),
    readers={
        "method_declaration": names.received,
        "const_declaration": names.each("const_spec"),
        "var_declaration": names.each("var_spec"),
    },
    package="package_clause",
)

JAVA = Language(
    name="java",
    grammar=("tree_sitter_java", "language"),
    glue="<top-level>",
    joiner=".",
    scope=scopes.packaged,
    units=kinds(
        "method: method_declaration annotation_type_element_declaration; field: field_declaration;"
        "constructor: constructor_declaration compact_constructor_declaration;"
        "constant: constant_declaration enum_constant"
    ),
    containers=kinds(
        "class: class_declaration; interface: interface_declaration; enum: enum_declaration;"
        "record: record_declaration; annotation: annotation_type_declaration"
    ),
    leads=words("line_comment block_comment"),
    inside=words("enum_body_declarations"),
    readers={
        "field_declaration": names.each("variable_declarator"),
        "constant_declaration": names.each("variable_declarator"),
    },
    package="package_declaration",
)

KOTLIN = Language(
    name="kotlin",
    grammar=("tree_sitter_kotlin", "language"),
    glue="<top-level>",
    joiner=".",
    scope=scopes.packaged,
    units=kinds(
        "function: function_declaration; property: property_declaration; type: type_alias; constant: enum_entry;"
        "constructor: secondary_constructor"
    ),
    containers=kinds("class: class_declaration; object: object_declaration companion_object"),
    leads=words("line_comment block_comment"),
    readers={
        "property_declaration": names.by_child("variable_declaration"),
        "class_declaration": names.with_keyword("interface"),
        "enum_entry": names.by_child("identifier"),
        "type_alias": names.by_field("type"),
        "companion_object": names.called("Companion"),
        "secondary_constructor": names.called("constructor"),
    },
    package="package_header",
    latin_only=True,
)

_C_READERS: dict[str, names.Reader] = {
    "function_definition": declared,
    "declaration": declared,
    "type_definition": declared,
    "struct_specifier": tagged,
    "union_specifier": tagged,
    "enum_specifier": tagged,
}

C = Language(
    name="c",
    grammar=("tree_sitter_c", "language"),
    glue="<top-level>",
    joiner="::",
    scope=scopes.none,
    units=kinds(
        "function: function_definition; variable: declaration; type: type_definition; struct: struct_specifier;"
        "union: union_specifier; enum: enum_specifier; macro: preproc_def preproc_function_def"
    ),
    containers={},
    leads=words("comment"),
    inside=words(
        "preproc_ifdef preproc_if preproc_else preproc_elif preproc_elifdef linkage_specification declaration_list"
    ),
    readers=_C_READERS,
)

CPP = C._replace(
    name="cpp",
    grammar=("tree_sitter_cpp", "language"),
    units=kinds(
        "function: function_definition; variable: declaration field_declaration;"
        "type: type_definition alias_declaration;"
        "concept: concept_definition; enum: enum_specifier; macro: preproc_def preproc_function_def"
    ),
    containers=kinds(
        "class: class_specifier; struct: struct_specifier; union: union_specifier; namespace: namespace_definition"
    ),
    wrappers=words("template_declaration friend_declaration"),
    readers={**_C_READERS, "class_specifier": tagged, "field_declaration": declared},
)

LANGUAGES = {row.name: row for row in (RUST, PYTHON, TYPESCRIPT, JAVASCRIPT, GO, JAVA, KOTLIN, C, CPP)}
