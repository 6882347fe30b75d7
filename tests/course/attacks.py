"""Files that want marks without work, and files that look odd and are honest.

Each entry of ATTACKS is a preamble of a file whose double() is wrong, or, with `{body}`, the body
of double(); with it the words of the one line that is said. Where the words are None, nothing was
there to be had: the wrong answer is simply wrong.
"""

NOTHING = None
WHO, INTO, SEEK = "looks at who called it", "which judges it", "looks through Python's memory"
INNER = "it is not for graded files"
HAS = (  # a function that reads the answers, and HAD: it could
    "import os, sys\ngot = []\n"
    "def has(*_):\n    got.append(open({solution!r}).read())\n    return ''\n"
)
HAD = "assert not got, 'had it'\n"
RUN, NET, PAST = "starts a program", "opens a connection", "goes past Python"

IN_THE_FILE = {
    # exchanging the judge
    "expect exchanged": ("import course.testing\ncourse.testing.expect = print\n", INTO),
    "the wording exchanged": ("import course.grading.wording as w\nw.line_about = str\n", INTO),
    "by import_module": (
        "import importlib\nimportlib.import_module('course.testing')\n",
        "opens testing.py",
    ),
    "the compiled judge": (
        "import glob, sys\n"
        "for path in sys.path:\n"
        "    for file in glob.glob(path + '/course/__pycache__/testing.*'):\n"
        "        open(file, 'rb').read()\n",
        "opens ",
    ),
    "reloaded": ("import importlib, course.testing as t\nimportlib.reload(t)\n", INTO),
    "tests emptied": (
        "import sys\n"
        "for module in list(sys.modules.values()):\n"
        "    for name in [n for n in vars(module) if n.startswith('test_')]:\n"
        "        setattr(module, name, lambda: None)\n",
        NOTHING,
    ),
    "expect found in sys.modules": (
        "import sys\nfor m in list(sys.modules.values()):\n"
        "    if hasattr(m, 'expect'):\n        m.expect = print\n",
        NOTHING,
    ),
    "another pytest patched": ("import pytest\npytest.Function.runtest = print\n", NOTHING),
    "its runner patched": ("import _pytest.runner as r\nr.runtestprotocol = print\n", NOTHING),
    "code emptied by gc": ("import gc\ngc.get_objects()\n", SEEK),
    "referrers": ("import gc\ngc.get_referrers(int)\n", SEEK),
    "referents": ("import gc\ngc.get_referents(int)\n", SEEK),
    "a builtin exchanged": (
        "import builtins\nbuiltins.abs = lambda x: 0\n",
        "changed builtins.abs",
    ),
    "isinstance exchanged": (
        "import builtins\nold = isinstance\nbuiltins.isinstance = lambda a, b: old(a, b)\n",
        "changed builtins.isinstance",
    ),
    "numpy exchanged": ("import numpy\nnumpy.abs = lambda x: 0 * x\n", "changed numpy.abs"),
    "numpy's code exchanged": (
        "import numpy\nnumpy.isclose.__wrapped__.__code__ = (lambda *a, **k: True).__code__\n",
        "changes the __code__ of isclose()",
    ),
    "json exchanged": ("import json\njson.dumps = lambda *a, **k: ''\n", "changed json.dumps"),
    "inspect exchanged": (
        "import inspect\ninspect.signature = None\n",
        "changed inspect.signature",
    ),
    "an importer of its own": (
        "import sys\nclass Finder:\n    find_spec = staticmethod(lambda *a: None)\n"
        "sys.meta_path.insert(0, Finder)\n",
        "changed sys.meta_path",
    ),
    "the finished library, it says": ("class autograd:\n    grad = lambda *a: a\n", NOTHING),
    # things of its own that the watch looks at: nothing of them may run unseen
    "a name of its own": (
        HAS + "class Name(str):\n    def partition(self, dot):\n"
        "        return has() or ('math', '', '')\n"
        "sys.audit('import', Name('math'))\n" + HAD,
        NOTHING,
    ),
    "a class that is none": (
        HAS + "class Thing:\n    __class__ = property(has)\n"
        "sys.audit('object.__setattr__', Thing(), '__code__', 1)\n" + HAD,
        NOTHING,
    ),
    "a file's name of its own": (
        HAS + "class Name(str):\n    startswith = has\n"
        "exec(compile('sys.audit(\"open\", \"x\", \"r\", 0)', Name('x'), 'exec'))\n" + HAD,
        NOTHING,
    ),
    "a constant of its own": (
        HAS + "class Thing:\n    __class__ = property(has)\n"
        "code = compile('1', '<made>', 'exec')\n"
        "exec(code.replace(co_consts=(Thing(), None)))\n" + HAD,
        NOTHING,
    ),
    "a path of its own": (
        HAS + "class Path:\n    __fspath__ = has\nos.utime(Path())\n",
        "opens tinytorch.py",
    ),
    "garbage of its own": (
        HAS + "class Thing:\n    __del__ = has\n"
        "for _ in range(2000):\n    thing = Thing()\n    thing.me = thing\n",
        "opens tinytorch.py",
    ),
    "a default of a function that judges": (
        "import json\njson.dumps.__defaults__ = (1,)\n",
        "changes the __defaults__ of dumps",
    ),
    # frames
    "a frame": ("import sys\nframe = sys._getframe()\n", WHO),
    "inspect.stack": ("import inspect\ninspect.stack()\n", WHO),
    "inspect.currentframe": ("import inspect\ninspect.currentframe()\n", WHO),
    "logging's frame": ("import logging\nlogging.currentframe()\n", WHO),
    "walk_stack": ("import traceback\nlist(traceback.walk_stack(None))\n", "looks at"),
    "a traceback's frame": (
        "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    e.__traceback__.tb_frame\n",
        "looks at frames (tb_frame)",
    ),
    "walk_tb": (
        "import traceback\ntry:\n    1 / 0\nexcept ZeroDivisionError as e:\n"
        "    list(traceback.walk_tb(e.__traceback__))\n",
        "looks at frames (tb_frame)",
    ),
    "sys.exc_info": (
        "import sys\ntry:\n    1 / 0\nexcept Exception:\n    getattr(sys.exc_info()[2], 'tb_frame')\n",
        "looks at frames (tb_frame)",
    ),
    "a generator's frame": (
        "def g():\n    yield g.gi_frame\ng = g()\nnext(g)\n",
        "looks at frames (gi_frame)",
    ),
    "a coroutine's frame": (
        "async def c(): pass\nc = c()\nc.cr_frame\n",
        "looks at frames (cr_frame)",
    ),
    "all frames": ("import sys\nsys._current_frames()\n", WHO),
    "settrace": ("import sys\nsys.settrace(print)\n", "traces the program"),
    "setprofile": ("import sys\nsys.setprofile(print)\n", "traces the program"),
    "setprofile in a thread": (
        "import threading\nthreading.setprofile(print)\n"
        "t = threading.Thread(target=print)\nt.start()\nt.join()\n",
        "traces the program",
    ),
    "a frame in a thread": (
        "import sys, threading\nt = threading.Thread(target=sys._getframe)\nt.start()\nt.join()\n",
        WHO,
    ),
    "a signal handler's frame": (
        "import signal\nsignal.signal(signal.SIGINT, print)\n",
        "sets a signal handler",
    ),
    "the C signal": ("import _signal\n_signal.signal(2, print)\n", "sets a signal handler"),
    # what tells nobody
    "globals of a function": ("import json\njson.loads.__globals__\n", INNER),
    "by its name": ("import json\ngetattr(json.loads, '__globals__')\n", INNER),
    "in code of its own making": ("exec('print.__' + 'closure__')\n", INNER),
    "subclasses": (
        "for c in object.__subclasses__():\n    try:\n        c.__init__.__globals__\n"
        "    except Exception:\n        pass\n",
        INNER,
    ),
    "a closure": ("import functools\nfunctools.wraps(print).func.__closure__\n", INNER),
    # files
    "the solution read": ("open({solution!r}).read()\n", "opens tinytorch.py"),
    "the solution run": ("exec(open({solution!r}).read())\n", "opens tinytorch.py"),
    "os.open": ("import os\nos.open({solution!r}, os.O_RDONLY)\n", "opens tinytorch.py"),
    "pathlib": ("import pathlib\npathlib.Path({solution!r}).read_text()\n", "opens tinytorch.py"),
    "numpy reads": ("import numpy\nnumpy.fromfile({solution!r}, 'u1')\n", "opens tinytorch.py"),
    "loadtxt": ("import numpy\nnumpy.loadtxt({solution!r}, dtype=str)\n", "opens tinytorch.py"),
    "runpy": ("import runpy\nrunpy.run_path({solution!r})\n", "opens tinytorch.py"),
    "linecache": ("import linecache\nlinecache.getlines({solution!r})\n", "opens tinytorch.py"),
    "a link": ("import os\nos.symlink({solution!r}, 'x')\nopen('x')\n", "writes to tinytorch.py"),
    "a folder listed": ("import os\nos.listdir({root!r})\n", "opens "),
    "a tree walked": ("import os\nlist(os.walk({root!r}))\n", "opens "),
    "the tests written over": ("open({tests!r}, 'a').write('#')\n", "writes to test_all.py"),
    "the grader written over": ("open({grader!r}, 'a')\n", "writes to run.py"),
    "the library imported": (
        "import sys\nsys.path.insert(0, {checkout!r})\ndel sys.modules['tinytorch']\n"
        "import tinytorch\n",
        "opens ",
    ),
    "the copy's tests read": (
        "import glob, os\nopen(glob.glob(os.path.join('..', 'judge', 'tests', '*', '*.py'))[0])\n",
        "opens ",
    ),
    "the judge run again": (
        "import importlib.util as u\ns = u.spec_from_file_location('t', "
        "'../judge/course/testing.py')\ns.loader.exec_module(u.module_from_spec(s))\n",
        "opens ",
    ),
    "the memory file": ("open('/proc/self/mem', 'r+b')\n", "writes to mem"),
    "a descriptor": ("import os\nos.fdopen(3, 'wb')\n", "opens a file that it was not given"),
    "all descriptors": (
        'import os\nfor n in range(3, 30):\n    try: os.write(n, b\'{{"event": "finished"}}\\n\')\n'
        "    except OSError: pass\n",
        NOTHING,
    ),
    # processes and what is behind Python
    "a program": ("import os\nos.system('true')\n", RUN),
    "a detached program": (
        "import subprocess\nsubprocess.Popen(['sleep', '9'], start_new_session=True)\n",
        RUN,
    ),
    "a fork": ("import os\nos.fork()\n", RUN),
    "an exec": ("import os\nos.execv('/bin/true', ['true'])\n", RUN),
    "its parent killed": ("import os\nos.kill(os.getppid(), 9)\n", "sends a signal"),
    "all killed": ("import os\nos.killpg(0, 9)\n", "sends a signal"),
    "a connection": ("import socket\nsocket.socket()\n", NET),
    "ctypes": ("import ctypes\n", PAST),
    "ctypes through numpy": ("import numpy\nnumpy.ctypeslib.ctypes.pythonapi\n", PAST),
    "limits raised": ("import resource\nresource.setrlimit(0, (-1, -1))\n", "changes its limits"),
    "a hook of its own": ("import sys\nsys.addaudithook(print)\n", "adds an audit hook"),
    "feigned code": (
        "import enum\nexec(compile('import sys; sys._getframe()', enum.__file__, 'exec'))\n",
        "makes code under the name of another file",
    ),
    "feigned by replace": (
        "import enum\nf = lambda: 0\nf.__code__ = f.__code__.replace(co_filename=enum.__file__)\n",
        "makes code under the name of another file",
    ),
    "a finalizer": (
        "import os, weakref\nclass A: pass\na = A()\nweakref.finalize(a, os.system, 'true')\ndel a\n",
        RUN,
    ),
    "from a deep place": (
        "import sys\ndef deep():\n    try:\n        deep()\n    except RecursionError:\n"
        "        sys._getframe()\n        raise\ntry:\n    deep()\nexcept RecursionError:\n    pass\n",
        "looks at",
    ),
    "exit handlers": ("import atexit, os\natexit.register(os._exit, 0)\n", NOTHING),
    "an exit in a thread": (
        "import sys, threading\nthreading.Thread(target=sys.exit).start()\n",
        NOTHING,
    ),
    "the garbage collector's callback": ("import gc\ngc.callbacks.append(print)\n", NOTHING),
    "os.path exchanged": (
        "import os.path\nos.path.realpath = lambda p, **k: '/dev/null'\nopen({solution!r})\n",
        "opens tinytorch.py",
    ),
}

IN_THE_ANSWER = {
    "the caller's frame": ("import sys; return sys._getframe(1).f_locals['want']", INNER),
    "the frame by other words": ("import sys; f = sys._getframe(1); return 0", WHO),
    "the judge patched late": ("import course.testing; course.testing.expect = print", INTO),
    "everything equal": ("return type('Yes', (float,), dict(__eq__=lambda *a: True))(7)", NOTHING),
    "a class that is all": (
        "return type('M', (type,), dict(__eq__=lambda *a: True, __hash__=lambda s: 0))('Y', (), {})",
        NOTHING,
    ),
    "an array that lies": (
        "import numpy as np; "
        "return np.full((), 7.0).view(type('L', (np.ndarray,), dict(__sub__=lambda a, b: a * 0)))",
        NOTHING,
    ),
    "__array__ lies": (
        "return type('L', (), dict(__array__=lambda s, *a, **k: [][0]))()",
        NOTHING,
    ),
    "another class feigned": (
        "import numpy as np; return type('L', (), dict(__class__=property(lambda s: np.ndarray)))()",
        NOTHING,
    ),
    "an exception that attacks": (
        "raise type('E', (Exception,), dict(__str__=lambda s: __import__('os').kill(1, 9)))()",
        "sends a signal",
    ),
    "a repr that attacks": (
        "return type('R', (), dict(__repr__=lambda s: __import__('os').system('true')))()",
        RUN,
    ),
    "a finalizer that attacks": (
        "d = type('D', (), dict(__del__=lambda s: __import__('os').system('true')))()\n"
        "    d.me = d\n    del d\n    return __import__('gc').collect()",
        RUN,
    ),
    "left by an assertion": ("raise AssertionError", NOTHING),
    "the judge's words": (
        "import course.testing as t; raise t.Mismatch('double(3) = 6')",
        INTO,
    ),
    "all descriptors closed": ("import os; os.closerange(3, 99)", NOTHING),
    "interrupted": ("import _thread; _thread.interrupt_main(); return 0", NOTHING),
    "memory": ("return bytearray(10**11)", NOTHING),
    "a large file": ("open('large', 'wb').truncate(10**10); return 0", NOTHING),
}

INNOCENT = {
    "namedtuple": "from collections import namedtuple\nP = namedtuple('P', 'x y', defaults=[1])\nP(2)\n",
    "NamedTuple": "from typing import NamedTuple\nclass P(NamedTuple):\n    x: int = 1\nP()\n",
    "dataclass": "from dataclasses import dataclass, field\n@dataclass(order=True)\nclass P:\n"
    "    x: int = 0\n    y: list = field(default_factory=list)\nassert P() == P()\n",
    "enum": "from enum import Enum, auto\nclass E(Enum):\n    A = auto()\nF = Enum('F', 'x y')\n",
    "typing": "from typing import Generic, TypedDict, TypeVar, get_type_hints\nT = TypeVar('T')\n"
    "class G(Generic[T]):\n    x: 'int'\nD = TypedDict('D', dict(x=int))\nget_type_hints(G)\n",
    "contextlib": "from contextlib import ExitStack, contextmanager, suppress\n@contextmanager\n"
    "def c():\n    try:\n        yield\n    finally:\n        pass\n"
    "with suppress(ZeroDivisionError), c():\n    1 / 0\nwith ExitStack() as s:\n"
    "    s.enter_context(c())\n",
    "functools": "import functools\n@functools.singledispatch\ndef f(x): pass\n@f.register\n"
    "def _(x: int): pass\n@functools.lru_cache\ndef g(x):\n    return x\nf(1), g(1)\n"
    "@functools.wraps(g)\ndef h(x): pass\nfunctools.partial(g, 1)()\n",
    "lazy imports": "def f():\n    import decimal, fractions, statistics\n    import xml.dom.minidom\nf()\n",
    "warnings": "import warnings\nwarnings.warn('odd')\nwarnings.warn('odd', stacklevel=2)\n",
    "a traceback printed": "import traceback\ntry:\n    1 / 0\nexcept ZeroDivisionError:\n"
    "    traceback.print_exc()\n    traceback.format_exc()\ntraceback.print_stack()\n",
    "logging": "import logging\nlogging.basicConfig(level='INFO')\nlogging.info('here')\n"
    "try:\n    1 / 0\nexcept ZeroDivisionError:\n    logging.exception('there')\n",
    "timeit": "import timeit\ntimeit.timeit('1 + 1', number=10)\n",
    "random": "import random, secrets\nrandom.Random(1).random(), secrets.token_hex()\n",
    "copy and pickle": "import copy, pickle\nclass A: pass\ncopy.deepcopy(A())\n"
    "pickle.loads(pickle.dumps(A()))\n",
    "threads": "import threading\nfrom concurrent.futures import ThreadPoolExecutor\n"
    "with ThreadPoolExecutor(2) as pool:\n    list(pool.map(abs, [1, 2]))\n",
    "a temporary file": "import tempfile\nwith tempfile.TemporaryFile('w+') as f:\n    f.write('x')\n"
    "with tempfile.TemporaryDirectory() as d:\n    open(d + '/x', 'w').close()\n",
    "a file of its own": "open('mine.txt', 'w').write('x')\nopen('mine.txt').read()\n",
    "inspect": "import inspect\ndef f(a, b=1): pass\ninspect.signature(f)\n"
    "inspect.isgeneratorfunction(f)\nf.__code__.co_argcount\n"
    "f.__defaults__ = (2,)\ninspect.getsource(f)\n",
    "classes": "import abc\nclass A(abc.ABC):\n    @abc.abstractmethod\n    def f(self): pass\n"
    "class B(A):\n    __slots__ = ('x',)\n    f = None\nB.__subclasses__(), B.__mro__\n",
    "generators": "def g():\n    try:\n        yield 1\n    finally:\n        pass\nlist(g())\n",
    "numpy": "import numpy as np\nnp.testing.assert_allclose(1, 1)\nnp.linalg.inv(np.eye(2))\n"
    "np.einsum('i,i', [1], [1])\nnp.vectorize(abs)([1])\nprint(np.arange(3))\n",
    "pytest": "import pytest\nwith pytest.raises(ZeroDivisionError):\n    1 / 0\n",
    "the machine": "import gc, os, platform, sys\ngc.collect()\nos.environ.get('HOME')\nsys.getsizeof(1)\n"
    "os.path.exists('/')\nos.getcwd()\n",
    "drawing": "from course import draw_graph\n",
    "matplotlib": "import matplotlib\nmatplotlib.use('agg')\nimport matplotlib.pyplot as plt\n"
    "plt.plot([1, 2])\nplt.savefig('x.png')\n",
    "exec": "exec('a = 1')\nassert eval('a + 1') == 2\nexec(compile('b = 1', 'mine', 'exec'))\n",
    "itself when run": "if __name__ == '__main__':\n    import subprocess\n",
}
