"""Watches what the graded file does to what is around it: an audit hook (PEP 578).

Python tells the hook before it opens a file, starts a process, hands out a frame, and so on. What
the graded file, or something that it called, does is held against the rules below. Who breaks one
is reported, and the process ends at once: nothing that was reached for is ever had. The judge's
own doings are seen too, and mostly let pass.

Of some things Python tells nobody. Those are out of reach while the file runs (`concealed`), do
not exist in its process (`close`), or are compared afterwards (integrity.py).
"""

import dis
import gc
import os
import sys
import sysconfig
from functools import cache
from importlib.util import find_spec, module_from_spec
from threading import get_ident
from types import CodeType, FunctionType, ModuleType

INSIDE = {"__globals__", "__closure__", "cell_contents", "f_back", "f_globals", "f_locals"}
INSIDE |= {
    "__builtins__",
    "f_builtins",
    "py_object",
    "memmove",
}  # names that lead out of a file and tell nobody
FRAMES = {"tb_frame", "gi_frame", "cr_frame", "ag_frame"}
PARTS = {"__code__", "__defaults__", "__kwdefaults__"}
SIGNATURE = ("_sig", "unwrap", "_has_code_flag")  # what inspect may look at, and keeps to itself
JUDGING = ("course", "pytest", "_pytest", "pluggy", "iniconfig", "__main__")
PAST_PYTHON = {"ctypes", "_ctypes", "cffi", "_testcapi", "_testinternalcapi", "_posixsubprocess"}
PAST_PYTHON |= {"_xxsubinterpreters", "_interpreters"}
HARMLESS = {os.devnull, "/dev/urandom", "/dev/random"}
LOOKERS = {  # of the standard library: look at a frame and keep it to themselves
    "collections": {"namedtuple"},
    "enum": None,
    "typing": None,
    "dataclasses": None,
    "warnings": None,
    "_py_warnings": None,  # where they are from Python 3.14 on
    "functools": None,
    "abc": None,
    "logging": {"findCaller", "<lambda>", "currentframe"},
    "traceback": {
        *("print_stack", "format_stack", "extract_stack", "_walk_tb_with_full_positions"),
        *("walk_tb", "extract", "_extract_from_extended_frame_gen", "__init__"),
    },
    "inspect": {"getgeneratorstate", "getcoroutinestate"},
}
NOT_ALONE = {"walk_tb", "_walk_tb_with_full_positions", "<lambda>", "currentframe"}  # give it away
PLAIN = [(str, str.__str__), (bytes, bytes.__bytes__), (int, int.__int__)]
READERS = {"traceback", "warnings", "_py_warnings", "logging"}  # show lines that they can get


def _own_copy(name):
    """A module of the standard library that nobody else has, and nobody can change."""
    spec = find_spec(name)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


paths = _own_copy(os.path.__name__)
paths.os = ModuleType("os")
vars(paths.os).update(vars(os))
WHERE = sysconfig.get_paths()  # now: each fork of a nest would look them up anew
gc_off, gc_on, gc_is_on = gc.disable, gc.enable, gc.isenabled


class Auditor:
    """The hook. `report` is called with what a file did, and must not return."""

    def __init__(self, desk, judge, hidden, report):
        self.desk, self.judge, self.report = desk, judge, report
        self.graded, self.given, self.judges = [], [], set()  # given: what it may read and import
        self.hidden = [*map(paths.realpath, hidden)]
        self.standard = _folders(WHERE["stdlib"], WHERE["platstdlib"])
        self.standard += [path for path in sys.path if path.endswith(".zip")]
        self.packages = _folders(WHERE["purelib"], WHERE["platlib"], *_site_folders())
        self.main, self.busy, self.drawing = get_ident(), set(), False
        self.sealed = set()  # the ids of functions that nobody may change
        self.owned, self.tops = {}, {}  # of file names: is_own and top, often asked

    def __call__(self, event, args):
        if self.busy and get_ident() in self.busy:
            return
        if event == "object.__getattr__" and not self.is_looked_at(*args):
            return
        rule = _rule_for(event)
        if rule is None:
            return
        args = [*map(_plain, args)]
        says = self.unseen(lambda: rule(self, Stack(self), *args))
        if says:
            self.report(says)

    def is_looked_at(self, thing, name):
        """Is it a frame, or a part of a function that judges? Decided first: it is often asked."""
        return name in FRAMES or name in PARTS and _judges(self, thing)

    def unseen(self, call):
        """Call a function of the judge's without a look at what it does: nothing else may run."""
        thread, collects = get_ident(), gc_is_on()
        gc_off()  # no __del__ of the graded file comes in between
        self.busy.add(thread)
        try:
            return call()
        finally:
            self.busy.discard(thread)
            if collects:
                gc_on()

    def is_own(self, filename):
        """Is this code of the graded file, or code that it made?"""
        if filename not in self.owned:
            is_made = filename.startswith("<") and not filename.startswith("<frozen ")
            self.owned[filename] = is_made or _within(filename, [self.desk, *self.graded])
        return self.owned[filename]

    def top(self, filename):
        """The top module of the standard library that a file belongs to, or ""."""
        if filename not in self.tops:
            self.tops[filename] = self._top(filename)
        return self.tops[filename]

    def _top(self, filename):
        if filename.startswith("<frozen "):
            return filename[len("<frozen ") : -1].partition(".")[0]
        if not _within(filename, self.standard) or _within(filename, self.packages):
            return ""
        folder = next(folder for folder in self.standard if _within(filename, [folder]))
        return paths.relpath(filename, folder).split(os.sep)[0].removesuffix(".py")


class Stack:
    """The frames at an event, the innermost first."""

    def __init__(self, auditor):
        self.auditor, self.frames = auditor, []
        frame = sys._getframe(4)  # past this one, the two of unseen(), and the hook
        while frame is not None:
            self.frames.append(frame)
            frame = frame.f_back
        is_mine = any(auditor.is_own(_file(frame)) for frame in self.frames)
        self.is_graded = is_mine or get_ident() != auditor.main

    def caller(self, *modules):
        """The first frame that is in none of these modules of the standard library."""
        return next((f for f in self.frames if self.module(f) not in modules), None)

    def module(self, frame):
        """The name of the top module of the standard library that a frame is in, or ""."""
        return self.auditor.top(_file(frame))

    def says(self, what):
        """What was done, and in which line of the graded file."""
        mine = [f for f in self.frames if _within(_file(f), [self.auditor.desk])]
        if not mine:
            return f"the graded file {what}"
        return f"line {mine[0].f_lineno} of {paths.basename(_file(mine[0]))} {what}"


def judging(tests):
    """The names of all modules that judge, `tests` among them."""
    return [name for name in sys.modules if name.partition(".")[0] in JUDGING or name in tests]


def conceal(names):
    """Take modules out of sys.modules; gives a function that puts them back."""
    taken = {name: sys.modules.pop(name) for name in names if name in sys.modules}
    sys.modules["__main__"] = ModuleType("__main__")
    return lambda: sys.modules.update(taken)


def close():
    """What tells nobody and is not needed any more: nobody has it now."""
    for module in ("signal", "_signal"):
        sys.modules[module].signal = _no_signal_handler
    for name in [name for name in sys.modules if name.partition(".")[0] in PAST_PYTHON]:
        del sys.modules[name]


def _no_signal_handler(*args, **options):
    sys.audit("graded.signal")


def _never(what):
    """A rule against what no graded file, and nobody else, does while it is graded."""

    def rule(auditor, stack, *args):
        return None if auditor.drawing and not stack.is_graded else stack.says(what)

    return rule


def _ctypes(auditor, stack, *args):
    """Packages may load it for themselves, as matplotlib does."""
    asks = next((f for f in stack.frames if not stack.module(f)), None)
    is_theirs = asks is not None and _package(auditor, _file(asks)) not in ("", "numpy")
    return None if is_theirs else stack.says("goes past Python with ctypes")


def _by_the_judge(what):
    """A rule against what only the judge's own code may do."""

    def rule(auditor, stack, *args):
        is_ours = not stack.is_graded and _within(_file(stack.frames[0]), [auditor.judge])
        return None if is_ours or auditor.drawing and not stack.is_graded else stack.says(what)

    return rule


def _not_by_it(what):
    """A rule against what the graded file may not do."""

    def rule(auditor, stack, *args):
        return stack.says(what) if stack.is_graded else None

    return rule


def _getframe(auditor, stack, *args):
    return stack.says("looks at who called it") if _looks_out(auditor, stack) else None


def _getattr(auditor, stack, thing, name):
    if name in FRAMES and _looks_out(auditor, stack):
        return stack.says(f"looks at frames ({name})")
    if name in PARTS and stack.is_graded:
        is_signature = stack.module(stack.frames[0]) in ("inspect", "functools", "typing")
        if not is_signature or not _name(stack.frames[0]).startswith(SIGNATURE):
            return stack.says(f"looks into {thing.__name__}(), which judges it")
    return None


def _setattr(auditor, stack, thing, name, *value):
    if name not in PARTS or type(thing) is not FunctionType:
        return None
    is_own = auditor.is_own(str.__str__(thing.__code__.co_filename))
    is_theirs = not stack.is_graded or _package(auditor, _file(stack.frames[0]))
    if _judges(auditor, thing) or id(thing) in auditor.sealed or not (is_own or is_theirs):
        return stack.says(f"changes the {name} of {thing.__name__}()")
    return None


def _judges(auditor, thing):
    """Is this a function of the judge, of pytest, or of a test?"""
    return type(thing) is FunctionType and id(thing.__globals__) in auditor.judges


def _looks_out(auditor, stack):
    """Does the graded file get a frame, and not only a module of the standard library?"""
    if not stack.is_graded:
        return False
    first, *others = stack.frames
    module, name = stack.module(first), _name(first)
    names = LOOKERS.get(module, ())
    if names is None or name in names:
        after = next((f for f in others if f.f_code is not first.f_code), None)
        return name in NOT_ALONE and (after is None or stack.module(after) != module)
    is_given = _within(_file(first), auditor.given)  # the library notes a line, no frame
    return not is_given and not _package(auditor, _file(first))


def _package(auditor, filename):
    """The top package in site-packages that a file belongs to, or ""."""
    for folder in auditor.packages:
        if _within(filename, [folder]):
            return paths.relpath(filename, folder).split(os.sep)[0].removesuffix(".py")
    return ""


def _import(auditor, stack, name, *args):
    importer = stack.caller("importlib")
    if importer is None or not auditor.is_own(_file(importer)):
        return None
    if name.partition(".")[0] in PAST_PYTHON:
        return stack.says(f"imports {name}, which goes past Python")
    is_course = name.startswith("course.") and not name.startswith("course.drawing")
    return stack.says(f"imports {name}, which judges it") if is_course else None


def _open(auditor, stack, path, mode=None, flags=0, *args):
    if isinstance(path, int):
        is_odd = path > 2 and stack.is_graded and stack.module(stack.frames[0]) != "tempfile"
        return stack.says("opens a file that it was not given") if is_odd else None
    ways = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
    writes = bool(set(mode or "") & set("wax+")) or bool((flags or 0) & ways)
    return _touches(auditor, stack, path, writes)


def _lists(auditor, stack, path=".", *args):
    if stack.module(stack.frames[0]) == "importlib" or isinstance(path, int):
        return None
    return _touches(auditor, stack, path or ".", False)


def _changes(auditor, stack, *args):
    paths = [path for path in args if isinstance(path, (str, bytes))]
    return next(filter(None, (_touches(auditor, stack, path, True) for path in paths)), None)


def _touches(auditor, stack, path, writes):
    """Words about a file or a folder that may not be opened, or None."""
    if path in HARMLESS:
        return None
    real = _source_of(paths.realpath(paths.os.fsdecode(path)))
    says = stack.says(f"{'writes to' if writes else 'opens'} {paths.basename(real)}")
    if _within(real, [auditor.desk, *(() if writes else auditor.graded + auditor.given)]):
        return None
    if _within(real, [auditor.judge]):
        return says if writes or _reads_judge(auditor, stack, real) else None
    if _within(real, [*auditor.standard, *auditor.packages]):
        return says if writes and stack.is_graded else None
    if _within(real, auditor.hidden):
        return says
    if not stack.is_graded:
        return says if writes and not auditor.drawing else None
    others = stack.frames
    while others and (stack.module(others[0]) or _package(auditor, _file(others[0])) == "numpy"):
        others = others[1:]
    return None if others and _package(auditor, _file(others[0])) else says


def _source_of(path):
    """The file that a .pyc is made of: one is as good as the other."""
    folder, name = paths.split(path)
    if not (name.endswith(".pyc") and paths.basename(folder) == "__pycache__"):
        return path
    return paths.join(paths.dirname(folder), name.split(".")[0] + ".py")


def _reads_judge(auditor, stack, path):
    """Does the graded file read what judges it? A line for a traceback is just not there."""
    if not stack.is_graded or not paths.exists(path):
        return False
    asks = stack.caller("linecache", "tokenize")
    is_given = _within(_file(asks), auditor.given)
    if asks is not stack.frames[0] and (is_given or stack.module(asks) in READERS):
        raise FileNotFoundError(path)
    pictures = paths.join(auditor.judge, "course", "drawing")
    of_all = [paths.join(auditor.judge, "course", n) for n in ("__init__.py", "paths.py")]
    is_import = stack.module(stack.frames[0]) == "importlib"
    return not (is_import and (path in of_all or _within(path, [pictures])))


def _exec(auditor, stack, code):
    """Code is looked through before it runs: some names lead out, and tell nobody."""
    if type(code) is not CodeType or not auditor.is_own(file := str.__str__(code.co_filename)):
        return None
    if file.startswith("<") and not stack.is_graded:
        return None
    for part in _codes(code):
        said = {value for value in map(_plain, part.co_consts) if isinstance(value, str)}
        for name in sorted(INSIDE & (said | set(part.co_names))):
            place = f"line {_line(part, name)} of {paths.basename(file)}"
            return f"{place} names {name}: it is not for graded files"
    return None


def _codes(code):
    yield code
    for part in code.co_consts:
        if type(part) is CodeType:
            yield from _codes(part)


def _line(code, name):
    plain = code.replace(co_consts=tuple(map(_plain, code.co_consts)))
    lines = [i.positions.lineno for i in dis.get_instructions(plain) if i.argval == name]
    return next(filter(None, lines), code.co_firstlineno)


def _compile(auditor, stack, source, filename, *args):
    return _makes_code(auditor, stack, filename)


def _makes_code(auditor, stack, filename):
    """Code under the name of another file could pass for that file's."""
    name = paths.os.fsdecode(filename or "")
    is_import = stack.module(stack.frames[0]) == "importlib"
    if not stack.is_graded or is_import or auditor.is_own(name):
        return None
    places = [*auditor.standard, *auditor.packages, *auditor.given, auditor.judge]
    known = _within(name, places)
    is_feigned = known or name.startswith("<frozen ")
    return stack.says("makes code under the name of another file") if is_feigned else None


def _code_new(auditor, stack, code, filename, *args):
    return _makes_code(auditor, stack, filename)


def _marshal(auditor, stack, *args):
    is_own = bool(stack.frames) and auditor.is_own(_file(stack.frames[0]))
    return stack.says("loads code that was compiled elsewhere") if is_own else None


@cache  # asked at each id()
def _rule_for(event):
    return RULES.get(event) or KINDS.get(event.partition(".")[0])


def _file(frame):
    return str.__str__(frame.f_code.co_filename)


def _name(frame):
    return str.__str__(frame.f_code.co_name)


def _plain(value):
    """What a rule may look at. Of classes of the graded file's own, no method is called: unseen, it
    could do anything."""
    kind = type(value)
    for base, plain in PLAIN:
        if issubclass(kind, base):
            return plain(value)
    return value if kind is CodeType or kind is FunctionType else None


def _within(path, folders):
    return any(path == folder or path.startswith(folder + os.sep) for folder in folders)


def _folders(*given):
    both = [path for path in given if path]
    return list(dict.fromkeys([*map(paths.abspath, both), *map(paths.realpath, both)]))


def _site_folders():
    names = ("site-packages", "dist-packages")
    return [path for path in sys.path if paths.basename(path) in names]


PROGRAM, SIGNAL = _never("starts a program"), _never("sends a signal")
TRACE, MEMORY = _by_the_judge("traces the program"), _not_by_it("looks through Python's memory")
CALLERS = _not_by_it("looks at who called it")
RULES = {
    **dict.fromkeys(["os.fork", "os.forkpty", "os.system", "os.exec", "os.posix_spawn"], PROGRAM),
    **dict.fromkeys(["os.spawn", "os.startfile", "subprocess.Popen", "pty.spawn"], PROGRAM),
    **dict.fromkeys(["os.kill", "os.killpg", "signal.pthread_kill"], SIGNAL),
    "graded.signal": _never("sets a signal handler"),
    **dict.fromkeys(["sys.settrace", "sys.setprofile"], TRACE),
    "sys.monitoring.register_callback": TRACE,
    **dict.fromkeys(["gc.get_objects", "gc.get_referrers", "gc.get_referents"], MEMORY),
    **dict.fromkeys(["sys._current_frames", "sys._current_exceptions"], CALLERS),
    "sys._getframe": _getframe,
    "object.__getattr__": _getattr,
    **dict.fromkeys(["object.__setattr__", "object.__delattr__"], _setattr),
    "sys.addaudithook": _not_by_it("adds an audit hook"),
    "import": _import,
    "open": _open,
    **dict.fromkeys(["os.listdir", "os.scandir"], _lists),
    **dict.fromkeys(["os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link"], _changes),
    **dict.fromkeys(["os.symlink", "os.truncate", "os.chmod", "os.chown", "os.utime"], _changes),
    "exec": _exec,
    "compile": _compile,
    "code.__new__": _code_new,
    "marshal.loads": _marshal,
}
KINDS = {
    "socket": _never("opens a connection"),
    "ctypes": _ctypes,
    "resource": _never("changes its limits"),
}
