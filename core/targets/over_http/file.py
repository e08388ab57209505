"""The settings of an HTTP target as a YAML file."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import yaml

from core.data_folder import write_private
from core.domain.errors import InvalidInput, UnreadableFile
from core.domain.specs import settings_file
from core.targets.over_http.config import PLACEHOLDERS, HttpConfig, check_config

MAX_BYTES = 100_000
MAX_DEPTH = 50
_BARE = re.compile(r'"(?:\\.|[^"\\])*"|\{\{\s*(' + "|".join(PLACEHOLDERS) + r")\s*\}\}")
_HINT = "Correct the line named; texts with {{question}} stand in quotes."


def read_config(path: Path) -> HttpConfig:
    """The settings in a file.

    Raises:
        UnreadableFile: It cannot be opened, is too large or no YAML.
        InvalidInput: What it says cannot be used.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise UnreadableFile(f"{path} has more than {MAX_BYTES:,} bytes.", "Give the settings of one target.")
        data = path.read_bytes()
    except OSError as error:
        raise UnreadableFile(f"The settings {path} cannot be opened ({error.strerror}).", "Check the path.") from None
    return parse_config(data, str(path))


def parse_config(data: bytes, name: str) -> HttpConfig:
    """The settings in a YAML text.

    Args:
        data: The text; JSON is YAML, too.
        name: What it is called, for messages.

    Raises:
        UnreadableFile: It is no YAML, or uses what settings have no need of: aliases and names given twice.
        InvalidInput: What it says cannot be used.
    """
    if len(data) > MAX_BYTES:
        raise UnreadableFile(f"{name} has more than {MAX_BYTES:,} bytes.", "Give the settings of one target.")
    try:
        text = data.decode("utf-8-sig")
        _refuse_tangles(text, name)
        _refuse_doubles(yaml.compose(text, Loader=yaml.SafeLoader), name)
        document = yaml.safe_load(text)
    except UnicodeDecodeError:
        raise UnreadableFile(f"{name} is not UTF-8 text.", "Save it as UTF-8.") from None
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise UnreadableFile(f"{name} is not YAML{_where(error)}.", _HINT) from None
    return check_config(document)


def parse_request(text: str) -> object:
    """The request template that a person wrote as JSON; a placeholder without quotes is taken for a text.

    >>> parse_request('{"q": {{question}}, "mode": "fast"}')
    {'q': '{{question}}', 'mode': 'fast'}

    Raises:
        InvalidInput: It is no JSON; the message has line and column.
    """
    quoted = _BARE.sub(lambda match: f'"{{{{{match[1]}}}}}"' if match[1] else match[0], text)
    try:
        return json.loads(quoted)
    except json.JSONDecodeError as error:
        raise InvalidInput(
            f"The request is not JSON: {error.msg} in line {error.lineno}, column {error.colno}.",
            'Write JSON such as {"question": "{{question}}"}.',
        ) from None
    except RecursionError:
        raise InvalidInput("The request is nested too deeply.", "Write plain JSON.") from None


def parse_headers(text: str) -> dict[str, str]:
    r"""Headers as a person writes them, one a line.

    >>> parse_headers("Authorization: Bearer ${RAG_TOKEN}\nX-Tenant=retail")
    {'Authorization': 'Bearer ${RAG_TOKEN}', 'X-Tenant': 'retail'}

    Raises:
        InvalidInput: A line is no header, or a header is given twice; the message has the line's number only, since the
            line may hold a secret.
    """
    headers: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        parts = re.split(r"\s*[=:]\s*", line.strip(), maxsplit=1)
        if len(parts) < 2 or not all(parts):
            raise InvalidInput(f"Line {number} of the headers is not a header.", "Write NAME: VALUE, one a line.")
        if parts[0].casefold() in {name.casefold() for name in headers}:
            raise InvalidInput(f"Line {number} of the headers repeats a header.", "Keep one of them.")
        headers[parts[0]] = parts[1]
    return headers


def dump_config(config: HttpConfig) -> str:
    """The settings as YAML, as a person would write them; what is left at its usual value is left out."""
    document = config.model_dump(mode="json", exclude_defaults=True)
    return str(yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=100))


def save_config(config: HttpConfig, folder: Path) -> Path:
    """Writes the settings into a folder, under a name made from what they say.

    Returns:
        The file; the same settings give the same file.
    """
    data = dump_config(config).encode()
    digest = hashlib.sha256(data).hexdigest()[:16]
    # A file of an earlier version has another name; runs of the same settings stay runs of one target.
    stored = min(folder.glob(f"*-{digest}.yaml"), default=None)
    if stored is not None:
        return stored
    path = folder / settings_file(config.host, config.port, digest)
    write_private(path, data)
    return path


def _refuse_tangles(text: str, name: str) -> None:
    """Refuses aliases, which can grow without bound, and deep nesting, for which the reader takes minutes."""
    depth = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        line = event.start_mark.line + 1
        if isinstance(event, yaml.AliasEvent):
            raise UnreadableFile(f"{name} has an alias in line {line}.", "Write each value where it belongs.")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_DEPTH:
            raise UnreadableFile(f"{name} is nested too deeply in line {line}.", "Give the settings of one target.")


def _refuse_doubles(node: yaml.Node | None, name: str) -> None:
    walk: list[yaml.Node] = [node] if node else []
    while walk:
        node = walk.pop()
        if isinstance(node, yaml.SequenceNode):
            walk += node.value
        if isinstance(node, yaml.MappingNode):
            seen = set()
            for key, value in node.value:
                walk.append(value)
                if isinstance(key, yaml.ScalarNode) and key.value in seen:
                    line = key.start_mark.line + 1
                    raise UnreadableFile(f"{name} gives {key.value} a second time in line {line}.", "Keep one of them.")
                seen.add(key.value if isinstance(key, yaml.ScalarNode) else id(key))


def _where(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or type(error).__name__
    return f" ({problem}{f', line {mark.line + 1}' if mark else ''})"
