"""Wrong answers to the exercises of chapter 6, each with words that its message must contain."""

import numpy as np

from course.misconceptions import wrong


@wrong("6.1", says="must stand in the place")
def leaves_out_none(self, grad):
    saved = self.saved_for(grad)
    pairs = zip(self.edges, self.rule.formulas, strict=True)
    return [formula(grad, *saved) for edge, formula in pairs if edge is not None]


@wrong("6.1", says="don't call its formula")
def asks_for_nobody(self, grad):
    saved = self.saved_for(grad)
    return [formula(grad, *saved) for formula in self.rule.formulas]


@wrong("6.1", says="don't call its formula")
def asks_and_throws_away(self, grad):
    saved = self.saved_for(grad)
    results = [formula(grad, *saved) for formula in self.rule.formulas]
    pairs = zip(self.edges, results, strict=True)
    return [None if edge is None else result for edge, result in pairs]


@wrong("6.1", says="a formula gets the gradient first")
def forgets_what_came(self, grad):
    saved = self.saved_for(grad)
    return [
        None if edge is None else formula(np.ones_like(grad), *saved)
        for edge, formula in zip(self.edges, self.rule.formulas, strict=True)
    ]


@wrong("6.1", says="each input has a formula of its own")
def one_formula_for_all(self, grad):
    saved, formula = self.saved_for(grad), self.rule.formulas[0]
    return [None if edge is None else formula(grad, *saved) for edge in self.edges]


@wrong("6.1", says="take what saved_for(grad) gives")
def takes_the_bare_arrays(self, grad):
    self.saved_for(grad)
    return [
        None if edge is None else formula(grad, *self.saved)
        for edge, formula in zip(self.edges, self.rule.formulas, strict=True)
    ]


@wrong("6.1", says="take what saved_for(grad) gives")
def looks_at_saved_itself(self, grad):
    return [
        None if edge is None else formula(grad, *self.saved)
        for edge, formula in zip(self.edges, self.rule.formulas, strict=True)
    ]


@wrong("6.1", says="one by one")
def gives_saved_as_one(self, grad):
    saved = self.saved_for(grad)
    return [
        None if edge is None else formula(grad, saved)
        for edge, formula in zip(self.edges, self.rule.formulas, strict=True)
    ]


@wrong("6.1", says="one by one")
def each_formula_gets_its_own(self, grad):
    saved = self.saved_for(grad)
    return [
        None if edge is None else formula(grad, item)
        for edge, formula, item in zip(self.edges, self.rule.formulas, saved, strict=False)
    ]


@wrong("6.1", says="the first formula belongs to the first edge")
def from_the_last_to_the_first(self, grad):
    saved, results = self.saved_for(grad), []
    for edge, formula in zip(self.edges, self.rule.formulas, strict=True):
        results.insert(0, None if edge is None else formula(grad, *saved))
    return results


@wrong("6.1", says="expected a list, one for each edge")
def gives_a_generator(self, grad):
    saved = self.saved_for(grad)
    pairs = zip(self.edges, self.rule.formulas, strict=True)
    return (None if edge is None else formula(grad, *saved) for edge, formula in pairs)


@wrong("6.2", "node.AccumulateGrad.backward", says="return ()")
def returns_nothing(self, grad):
    tensor = self.reference()
    if tensor is not None and tensor._node is not None:
        add_to_grad(tensor, grad)


@wrong("6.2", "node.AccumulateGrad.backward", says="self.reference() is None then")
def takes_the_leaf_for_alive(self, grad):
    tensor = self.reference()
    if tensor._node is not None:
        add_to_grad(tensor, grad)
    return ()


@wrong("6.2", "node.AccumulateGrad.backward", says="has _node None")
def gives_to_who_stopped_asking(self, grad):
    tensor = self.reference()
    if tensor is not None:
        add_to_grad(tensor, grad)
    return ()


@wrong("6.2", "node.AccumulateGrad.backward", says="x.grad = None")
def adds_to_a_tensor_like_the_leaf(self, grad):
    add_to_grad(wrap(self.array, self), grad)
    return ()


@wrong("6.2", "node.AccumulateGrad.backward", says="the gradients to send are still ()")
def goes_home_without_a_result(self, grad):
    tensor = self.reference()
    if tensor is None or tensor._node is None:
        return None
    add_to_grad(tensor, grad)
    return ()


@wrong("6.2", "node.add_to_grad", says="the first was overwritten")
def keeps_the_last(tensor, grad):
    tensor._grad = own(grad)


@wrong("6.2", "node.add_to_grad", says="np.add(…, out=old._data)")
def makes_a_new_array(tensor, grad):
    old = tensor._grad
    if old is None:
        tensor._grad = own(grad)
    elif type(grad) is Tensor:
        tensor._grad = old + grad
    else:
        tensor._grad = wrap(old._data + grad)


@wrong("6.2", "node.add_to_grad", says="np.add(…, out=old._data)")
def exchanges_the_array(tensor, grad):
    old = tensor._grad
    if old is None:
        tensor._grad = own(grad)
    elif type(grad) is Tensor:
        tensor._grad = old + grad
    else:
        old._data = old._data + grad
        memory.touch(old._data)


@wrong("6.2", "node.add_to_grad", says="own(grad)")
def keeps_what_came(tensor, grad):
    old = tensor._grad
    if old is None:
        tensor._grad = grad if type(grad) is Tensor else wrap(grad)
    elif type(grad) is Tensor:
        tensor._grad = old + grad
    else:
        np.add(old._data, grad, out=old._data)
        memory.touch(old._data)


@wrong("6.2", "node.add_to_grad", says="is the very Tensor that came")
def owns_arrays_only(tensor, grad):
    old = tensor._grad
    if type(grad) is Tensor:
        tensor._grad = grad if old is None else old + grad
    elif old is None:
        tensor._grad = own(grad)
    else:
        np.add(old._data, grad, out=old._data)
        memory.touch(old._data)


@wrong("6.2", "node.add_to_grad", says="a Tensor is added with +")
def changes_tensors_in_place(tensor, grad):
    old = tensor._grad
    if old is None:
        tensor._grad = own(grad)
    else:
        array = grad._data if type(grad) is Tensor else grad
        np.add(old._data, array, out=old._data)
        memory.touch(old._data)


@wrong("6.2", "node.add_to_grad", says="memory.touch(old._data) is missing")
def tells_nobody(tensor, grad):
    old = tensor._grad
    if old is None:
        tensor._grad = own(grad)
    elif type(grad) is Tensor:
        tensor._grad = old + grad
    else:
        np.add(old._data, grad, out=old._data)


@wrong("6.2", "node.add_to_grad", says="touch was told of what came")
def touches_what_came(tensor, grad):
    old = tensor._grad
    if old is None:
        tensor._grad = own(grad)
    elif type(grad) is Tensor:
        tensor._grad = old + grad
    else:
        np.add(old._data, grad, out=old._data)
        memory.touch(grad)


@wrong("6.2", "node.add_to_grad", says="once for each change")
def touches_twice(tensor, grad):
    old = tensor._grad
    if old is None:
        tensor._grad = own(grad)
    elif type(grad) is Tensor:
        tensor._grad = old + grad
    else:
        memory.touch(old._data)
        np.add(old._data, grad, out=old._data)
        memory.touch(old._data)


@wrong("6.2", "node.add_to_grad", says="how often x.grad has been changed")
def touches_the_first_too(tensor, grad):
    old = tensor._grad
    if old is None:
        tensor._grad = own(grad)
        memory.touch(tensor._grad._data)
    elif type(grad) is Tensor:
        tensor._grad = old + grad
    else:
        np.add(old._data, grad, out=old._data)
        memory.touch(old._data)


@wrong("6.2", "node.add_to_grad", says="add Tensors with +")
def adds_bare_arrays(tensor, grad):
    old = tensor._grad
    if old is None:
        tensor._grad = own(grad)
    elif type(grad) is Tensor:
        tensor._grad = wrap(old._data + grad._data)
    else:
        np.add(old._data, grad, out=old._data)
        memory.touch(old._data)


@wrong("6.3", says="the first was overwritten")
def the_last_one_counts(result, edge, grads, heap):
    if edge not in grads:
        heappush(heap, (-edge.number, edge))
    grads[edge] = result


@wrong("6.3", says="+= changes it")
def adds_in_place(result, edge, grads, heap):
    if edge in grads:
        grads[edge] += result
    else:
        grads[edge] = result
        heappush(heap, (-edge.number, edge))


@wrong("6.3", says="two turns")
def pushes_each_time(result, edge, grads, heap):
    grads[edge] = grads[edge] + result if edge in grads else result
    heappush(heap, (-edge.number, edge))


@wrong("6.3", says="the first gradient puts the node on the heap")
def never_pushes(result, edge, grads, heap):
    grads[edge] = grads[edge] + result if edge in grads else result


@wrong("6.3", says="with a minus sign")
def the_oldest_first(result, edge, grads, heap):
    if edge in grads:
        grads[edge] = grads[edge] + result
    else:
        grads[edge] = result
        heappush(heap, (edge.number, edge))


@wrong("6.3", says="heappush keeps a heap in order")
def appends(result, edge, grads, heap):
    if edge in grads:
        grads[edge] = grads[edge] + result
    else:
        grads[edge] = result
        heap.append((-edge.number, edge))


@wrong("6.3", says="on the heap are pairs")
def pushes_the_node(result, edge, grads, heap):
    if edge in grads:
        grads[edge] = grads[edge] + result
    else:
        grads[edge] = result
        heap.append(edge)


@wrong("6.3", says="b's sum was made in the memory that a has")
def np_add_out(result, edge, grads, heap):
    import numpy as np

    if edge in grads:
        np.add(grads[edge], result, out=grads[edge])
    else:
        grads[edge] = result
        heappush(heap, (-edge.number, edge))


@wrong("6.3", says="a gradient of 0 was taken for none")
def takes_zero_for_none(result, edge, grads, heap):
    old = grads.get(edge, 0)
    if getattr(old, "size", 1) == 1 and old == 0:
        grads[edge] = result
        heap.append((-edge.number, edge))
    else:
        grads[edge] = old + result


@wrong("6.3", says="deliver changed result")
def adds_to_what_came(result, edge, grads, heap):
    if edge in grads:
        result += grads[edge]
    else:
        heappush(heap, (-edge.number, edge))
    grads[edge] = result


@wrong("6.3", says="begin with")
def loses_the_history(result, edge, grads, heap):
    if edge in grads:
        both = grads[edge], result
        grads[edge] = sum(x.detach() if hasattr(x, "detach") else x for x in both)
    else:
        grads[edge] = result
        heappush(heap, (-edge.number, edge))


@wrong("6.4", says="b is older than c")
def in_the_order_in_which_they_came(seeds, retain_graph=False, turn=take_turn):
    grads, waiting = dict(seeds), [(-node.number, node) for node in seeds]
    while waiting:
        node = waiting.pop(0)[1]
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=False):
            if edge is not None and result is not None:
                heap = []
                deliver(result, edge, grads, heap)
                waiting += heap
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.4", says="deliver where neither edge nor result is None")
def delivers_none(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=False):
            if edge is not None:
                deliver(result, edge, grads, heap)
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.4", says="an edge that is None")
def delivers_to_nobody(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=False):
            if result is not None:
                deliver(result, edge, grads, heap)
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.4", says="the edges were let go of before")
def frees_too_early(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None
        for edge, result in zip(node.edges, results, strict=False):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)


@wrong("6.4", says=("saved", "stay in memory"))
def never_frees(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=False):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)


@wrong("6.4", says="() means that nothing was saved")
def frees_with_an_empty_tuple(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=False):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), ()


@wrong("6.4", says="retain_graph=True")
def frees_in_any_case(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=False):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        if node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.4", says="saves_arrays is False")
def frees_what_keeps_nothing(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=False):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        if not retain_graph:
            node.edges, node.saved = (), None


@wrong("6.4", says="y sent nothing, so it lets go of nothing")
def frees_what_was_skipped(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node))
        for edge, result in zip(node.edges, results or (), strict=False):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.4", says="go on with the next node")
def takes_none_for_a_list(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node))
        for edge, result in zip(node.edges, results, strict=False):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.4", says="copy it")
def empties_the_callers_dict(seeds, retain_graph=False, turn=take_turn):
    grads, heap = seeds, [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=False):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.4", says="heapify")
def forgets_heapify(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=False):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.4", says="how many seeds")
def begins_with_the_youngest_only(seeds, retain_graph=False, turn=take_turn):
    node = max(seeds, key=lambda node: node.number)
    grads, heap = {node: seeds.pop(node)}, [(-node.number, node)]
    for other in sorted(seeds, key=lambda node: -node.number):
        deliver(seeds[other], other, grads, heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=False):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.4", says="no call inside a call")
def calls_itself(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    if not heap:
        return
    node = heappop(heap)[1]
    results = turn(node, grads.pop(node))
    for edge, result in zip(node.edges, results or (), strict=False):
        if edge is not None and result is not None:
            deliver(result, edge, grads, heap)
    if not retain_graph and results is not None and node.rule.saves_arrays:
        node.edges, node.saved = (), None
    run(grads, retain_graph, turn)


@wrong("6.4", says="a node has a turn for each gradient")
def no_waiting(seeds, retain_graph=False, turn=take_turn):
    stack = list(seeds.items())
    while stack:
        node, grad = stack.pop()
        results = turn(node, grad)
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=False):
            if edge is not None and result is not None:
                stack.append((edge, result))


@wrong("6.4", says="the turns")
def asks_the_node_itself(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = node.backward(grads.pop(node))
        for edge, result in zip(node.edges, results, strict=False):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.5", says="no call inside a call")
def goes_deep_by_recursion(nodes):
    found = set()

    def visit(node):
        found.add(node)
        for edge in node.edges:
            if edge is not None and edge not in found:
                visit(edge)

    for node in nodes:
        visit(node)
    return sorted(found, key=lambda node: node.number)


@wrong("6.5", says="look at the edges of each node once")
def walks_every_path(nodes):
    found, stack = set(nodes), list(nodes)
    while stack:
        for edge in stack.pop().edges:
            if edge is not None:
                found.add(edge)
                stack.append(edge)
    return sorted(found, key=lambda node: node.number)


@wrong("6.5", says="an edge may be None")
def takes_none_for_a_node(nodes):
    found, stack = set(nodes), list(nodes)
    while stack:
        for edge in stack.pop().edges:
            if edge not in found:
                found.add(edge)
                stack.append(edge)
    return sorted(found, key=lambda node: node.number)


@wrong("6.5", says="sort them by their number")
def in_the_order_of_discovery(nodes):
    found, stack = list(dict.fromkeys(nodes)), list(nodes)
    while stack:
        for edge in stack.pop().edges:
            if edge is not None and edge not in found:
                found.append(edge)
                stack.append(edge)
    return found


@wrong("6.5", says="the youngest first")
def sorts_backwards(nodes):
    found, stack = set(nodes), list(nodes)
    while stack:
        for edge in stack.pop().edges:
            if edge is not None and edge not in found:
                found.add(edge)
                stack.append(edge)
    return sorted(found, key=lambda node: -node.number)


@wrong("6.5", says="it starts from are included")
def leaves_out_where_it_starts(nodes):
    found, stack = set(), list(nodes)
    while stack:
        for edge in stack.pop().edges:
            if edge is not None and edge not in found:
                found.add(edge)
                stack.append(edge)
    return sorted(found, key=lambda node: node.number)


@wrong("6.5", says="under another name")
def empties_the_callers_list(nodes):
    found, stack = set(nodes), nodes
    while stack:
        for edge in stack.pop().edges:
            if edge is not None and edge not in found:
                found.add(edge)
                stack.append(edge)
    return sorted(found, key=lambda node: node.number)


@wrong("6.5", says="expected a list")
def gives_the_set(nodes):
    found, stack = set(nodes), list(nodes)
    while stack:
        for edge in stack.pop().edges:
            if edge is not None and edge not in found:
                found.add(edge)
                stack.append(edge)
    return found


@wrong("6.6", "counting.count_uses", says="count edges")
def counts_nodes(root):
    uses = dict.fromkeys(reachable([root]), 0)
    for node in uses:
        for edge in set(node.edges):
            if edge is not None:
                uses[edge] += 1
    return uses


@wrong("6.6", "counting.count_uses", says="nothing leads to d")
def counts_the_root_once(root):
    uses = dict.fromkeys(reachable([root]), 0)
    uses[root] = 1
    for node in uses:
        for edge in node.edges:
            if edge is not None:
                uses[edge] += 1
    return uses


@wrong("6.6", "counting.count_uses", says="d itself is missing")
def leaves_out_the_root(root):
    uses = {}
    for node in reachable([root]):
        for edge in node.edges:
            if edge is not None:
                uses[edge] = uses.get(edge, 0) + 1
    return uses


@wrong("6.6", "counting.count_uses", says="an edge that is None leads to no node")
def counts_none(root):
    uses = dict.fromkeys(reachable([root]), 0)
    for node in uses.copy():
        for edge in node.edges:
            uses[edge] = uses.get(edge, 0) + 1
    return uses


@wrong("6.6", "counting.count_uses", says="not how many point to it")
def counts_what_a_node_points_to(root):
    return {node: sum(edge is not None for edge in node.edges) for node in reachable([root])}


@wrong("6.6", "counting.run_by_counting", says="wait until uses[b] is 0")
def does_not_wait(root, seed, turn=take_turn):
    grads, ready = {root: seed}, [root]
    while ready:
        node = ready.pop(0)
        if node not in grads:
            continue
        for edge, result in zip(node.edges, turn(node, grads.pop(node)), strict=True):
            if edge is not None:
                add(result, edge, grads)
                ready.append(edge)


@wrong("6.6", "counting.run_by_counting", says="None along an edge adds nothing")
def waits_for_none(root, seed, turn=take_turn):
    uses, grads, ready = count_uses(root), {root: seed}, [root]
    while ready:
        node = ready.pop()
        for edge, result in zip(node.edges, turn(node, grads.pop(node)), strict=True):
            if edge is not None and result is not None:
                add(result, edge, grads)
                uses[edge] -= 1
                if uses[edge] == 0:
                    ready.append(edge)


@wrong("6.6", "counting.run_by_counting", says="it isn't in grads")
def gives_a_turn_to_who_heard_nothing(root, seed, turn=take_turn):
    uses, grads, ready = count_uses(root), {root: seed}, [root]
    while ready:
        node = ready.pop()
        for edge, result in zip(node.edges, turn(node, grads.pop(node)), strict=True):
            if edge is not None:
                add(result, edge, grads)
                uses[edge] -= 1
                if uses[edge] == 0:
                    ready.append(edge)


@wrong("6.6", "counting.run_by_counting", says="None goes on")
def who_heard_nothing_says_nothing(root, seed, turn=take_turn):
    uses, grads, ready = count_uses(root), {root: seed}, [root]
    while ready:
        node = ready.pop()
        if node not in grads:
            continue
        for edge, result in zip(node.edges, turn(node, grads.pop(node)), strict=True):
            if edge is not None:
                add(result, edge, grads)
                uses[edge] -= 1
                if uses[edge] == 0:
                    ready.append(edge)


@wrong("6.6", "counting.run_by_counting", says="it begins with seed")
def begins_with_one(root, seed, turn=take_turn):
    import numpy as np

    uses, grads, ready = count_uses(root), {root: np.ones_like(seed)}, [root]
    while ready:
        node = ready.pop()
        results = turn(node, grads.pop(node)) if node in grads else [None] * len(node.edges)
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None:
                add(result, edge, grads)
                uses[edge] -= 1
                if uses[edge] == 0:
                    ready.append(edge)


@wrong("6.6", "counting.run_by_counting", says="no call inside a call")
def counts_down_by_recursion(root, seed, turn=take_turn):
    uses, grads = count_uses(root), {root: seed}

    def go(node):
        results = turn(node, grads.pop(node)) if node in grads else [None] * len(node.edges)
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None:
                add(result, edge, grads)
                uses[edge] -= 1
                if uses[edge] == 0:
                    go(edge)

    go(root)


@wrong("6.6", "counting.run_by_counting", says="nobody lets go")
def frees_the_graph(root, seed, turn=take_turn):
    uses, grads, ready = count_uses(root), {root: seed}, [root]
    while ready:
        node = ready.pop()
        results = turn(node, grads.pop(node)) if node in grads else [None] * len(node.edges)
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None:
                add(result, edge, grads)
                uses[edge] -= 1
                if uses[edge] == 0:
                    ready.append(edge)
        if node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.6", "counting.run_by_counting", says="the turns")
def asks_without_turn(root, seed, turn=take_turn):
    uses, grads, ready = count_uses(root), {root: seed}, [root]
    while ready:
        node = ready.pop()
        results = node.backward(grads.pop(node)) if node in grads else [None] * len(node.edges)
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None:
                add(result, edge, grads)
                uses[edge] -= 1
                if uses[edge] == 0:
                    ready.append(edge)


@wrong("6.6", "counting.run_by_counting", says="+= changes an array that others hold")
def adds_to_the_sum_in_place(root, seed, turn=take_turn):
    uses, grads, ready = count_uses(root), {root: seed}, [root]
    while ready:
        node = ready.pop()
        results = turn(node, grads.pop(node)) if node in grads else [None] * len(node.edges)
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None:
                if result is not None and edge in grads:
                    grads[edge] += result
                else:
                    add(result, edge, grads)
                uses[edge] -= 1
                if uses[edge] == 0:
                    ready.append(edge)


@wrong("6.7", says="only looks")
def a_look_wipes_it(self, grad):
    for hook in [*self.on_grad.values(), *self.retaining.values()]:
        grad = hook(as_seen(grad))
    for hook in list(self.before_backward.values()):
        answer = hook(of_results(grad))
        grad = grad if answer is None else with_answers(grad, answer)
    return grad


@wrong("6.7", says="each hook sees what the one before it left")
def all_see_what_came(self, grad):
    came = grad
    for hook in [*self.on_grad.values(), *self.retaining.values()]:
        grad = replaced(grad, hook(as_seen(came)))
    for hook in list(self.before_backward.values()):
        answer = hook(of_results(grad))
        grad = grad if answer is None else with_answers(grad, answer)
    return grad


@wrong("6.7", says="walk through a list")
def walks_through_the_dict(self, grad):
    for hook in self.on_grad.values():
        grad = replaced(grad, hook(as_seen(grad)))
    for hook in self.retaining.values():
        grad = replaced(grad, hook(as_seen(grad)))
    for hook in self.before_backward.values():
        answer = hook(of_results(grad))
        grad = grad if answer is None else with_answers(grad, answer)
    return grad


@wrong("6.7", says="how often it was called")
def forgets_those_that_retain(self, grad):
    for hook in list(self.on_grad.values()):
        grad = replaced(grad, hook(as_seen(grad)))
    for hook in list(self.before_backward.values()):
        answer = hook(of_results(grad))
        grad = grad if answer is None else with_answers(grad, answer)
    return grad


@wrong("6.7", says="how often it was called")
def forgets_the_nodes(self, grad):
    for hook in [*self.on_grad.values(), *self.retaining.values()]:
        grad = replaced(grad, hook(as_seen(grad)))
    return grad


@wrong("6.7", says="a hook gets as_seen(grad)")
def shows_the_bare_array(self, grad):
    for hook in [*self.on_grad.values(), *self.retaining.values()]:
        grad = replaced(grad, hook(grad))
    for hook in list(self.before_backward.values()):
        answer = hook(of_results(grad))
        grad = grad if answer is None else with_answers(grad, answer)
    return grad


@wrong("6.7", says="a hook gets as_seen(grad)")
def treats_all_alike(self, grad):
    kinds = self.on_grad, self.retaining, self.before_backward
    for hook in [hook for kind in kinds for hook in kind.values()]:
        grad = replaced(grad, hook(as_seen(grad)))
    return grad


@wrong("6.7", says="not every hook was called")
def the_first_answer_wins(self, grad):
    for hook in [*self.on_grad.values(), *self.retaining.values()]:
        answer = hook(as_seen(grad))
        if answer is not None:
            return replaced(grad, answer)
    for hook in list(self.before_backward.values()):
        answer = hook(of_results(grad))
        grad = grad if answer is None else with_answers(grad, answer)
    return grad


@wrong("6.7", says="who was called")
def the_nodes_first(self, grad):
    for hook in list(self.before_backward.values()):
        answer = hook(of_results(grad))
        grad = grad if answer is None else with_answers(grad, answer)
    for hook in [*self.on_grad.values(), *self.retaining.values()]:
        grad = replaced(grad, hook(as_seen(grad)))
    return grad


@wrong("6.7", says="one answers for the second")
def takes_any_answer(self, grad):
    for hook in [*self.on_grad.values(), *self.retaining.values()]:
        answer = hook(as_seen(grad))
        grad = grad if answer is None else answer._data
    for hook in list(self.before_backward.values()):
        answer = hook(of_results(grad))
        grad = grad if answer is None else answer[0]._data
    return grad


@wrong("6.1", says="the second gradient")
def zeros_for_nobody(self, grad):
    saved = self.saved_for(grad)
    return [
        grad * 0 if edge is None else formula(grad, *saved)
        for edge, formula in zip(self.edges, self.rule.formulas, strict=True)
    ]


@wrong("6.1", says="how many gradients it gave")
def stops_at_the_first_none(self, grad):
    saved, results = self.saved_for(grad), []
    for edge, formula in zip(self.edges, self.rule.formulas, strict=True):
        if edge is None:
            break
        results.append(formula(grad, *saved))
    return results


@wrong("6.1", says="sent the Tensor 10")
def copies_what_came(self, grad):
    saved = self.saved_for(grad)
    return [
        None if edge is None else formula(grad.copy(), *saved)
        for edge, formula in zip(self.edges, self.rule.formulas, strict=True)
    ]


@wrong("6.1", says="saved_for(grad) raises the error")
def asks_for_tensors_only(self, grad):
    saved = self.saved_for(grad) if type(grad) is Tensor else self.saved
    return [
        None if edge is None else formula(grad, *saved)
        for edge, formula in zip(self.edges, self.rule.formulas, strict=True)
    ]


@wrong("6.1", says="the node of x * y")
def swallows_errors(self, grad):
    results = []
    for formula in self.rule.formulas:
        try:
            results.append(formula(grad, self.saved_for(grad)))
        except Exception:
            results.append(None)
    return results


@wrong("6.1", says="call each formula once")
def asks_twice(self, grad):
    saved = self.saved_for(grad)
    return [
        formula(grad, *saved) if edge is not None and formula(grad, *saved) is not None else None
        for edge, formula in zip(self.edges, self.rule.formulas, strict=True)
    ]


@wrong("6.2", "node.add_to_grad", says="0 is a gradient, too")
def zeros_are_nothing(tensor, grad):
    old = tensor._grad
    if type(grad) is not Tensor and not grad.any():
        return
    if old is None:
        tensor._grad = own(grad)
    elif type(grad) is Tensor:
        tensor._grad = old + grad
    else:
        np.add(old._data, grad, out=old._data)
        memory.touch(old._data)


@wrong("6.2", "node.add_to_grad", says="the first Tensor")
def the_first_loses_its_history(tensor, grad):
    old = tensor._grad
    if old is None:
        tensor._grad = own(grad).detach()
    elif type(grad) is Tensor:
        tensor._grad = old + grad
    else:
        np.add(old._data, grad, out=old._data)
        memory.touch(old._data)


@wrong("6.2", "node.add_to_grad", says="dtype")
def always_float32(tensor, grad):
    old = tensor._grad
    if old is None:
        tensor._grad = own(grad if type(grad) is Tensor else grad.astype(np.float32))
    elif type(grad) is Tensor:
        tensor._grad = old + grad
    else:
        np.add(old._data, grad, out=old._data, casting="unsafe")
        memory.touch(old._data)


@wrong("6.2", "node.add_to_grad", says="is the same Tensor as before")
def a_new_tensor_around_the_same_memory(tensor, grad):
    old = tensor._grad
    if old is None:
        tensor._grad = own(grad)
    elif type(grad) is Tensor:
        tensor._grad = old + grad
    else:
        np.add(old._data, grad, out=old._data)
        memory.touch(old._data)
        tensor._grad = wrap(old._data)


@wrong("6.2", "node.add_to_grad", says="expected [13, 24]")
def takes_the_mean(tensor, grad):
    old = tensor._grad
    if old is None:
        tensor._grad = own(grad)
    elif type(grad) is Tensor:
        tensor._grad = (old + grad) / 2
    else:
        np.add(old._data, grad, out=old._data)
        old._data /= 2
        memory.touch(old._data)


@wrong("6.2", "node.AccumulateGrad.backward", says="nothing lies behind a leaf")
def passes_it_on(self, grad):
    tensor = self.reference()
    if tensor is not None and tensor._node is not None:
        add_to_grad(tensor, grad)
    return (grad,)


@wrong("6.3", says="grads[node]")
def the_first_one_twice(result, edge, grads, heap):
    if edge not in grads:
        heappush(heap, (-edge.number, edge))
    grads[edge] = grads.get(edge, result) + result


@wrong("6.3", says="the keys of grads")
def under_its_number(result, edge, grads, heap):
    if edge.number in grads:
        grads[edge.number] = grads[edge.number] + result
    else:
        grads[edge.number] = result
        heappush(heap, (-edge.number, edge))


@wrong("6.3", says="it is waiting still")
def takes_it_off_the_heap(result, edge, grads, heap):
    if edge in grads:
        grads[edge] = grads[edge] + result
        heap.remove((-edge.number, edge))
    else:
        grads[edge] = result
        heappush(heap, (-edge.number, edge))


@wrong("6.3", says="the second is lost")
def keeps_the_first(result, edge, grads, heap):
    if edge not in grads:
        grads[edge] = result
        heappush(heap, (-edge.number, edge))


@wrong("6.3", says="how many are on the heap")
def only_on_an_empty_heap(result, edge, grads, heap):
    if edge in grads:
        grads[edge] = grads[edge] + result
    else:
        grads[edge] = result
        if not heap or heap[0][0] > -edge.number:
            heappush(heap, (-edge.number, edge))


@wrong("6.3", says="stays as it came")
def sums_in_float64(result, edge, grads, heap):
    if edge in grads:
        grads[edge] = grads[edge] * 1.0 + result.astype("float64")
    else:
        grads[edge] = result
        heappush(heap, (-edge.number, edge))


@wrong("6.4", says="others are still waiting")
def none_ends_it_all(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node))
        if results is None:
            break
        for edge, result in zip(node.edges, results, strict=False):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.4", says=("saved", "stay in memory"))
def lets_go_of_edges_only(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=False):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        if not retain_graph and node.rule.saves_arrays:
            node.edges = ()


@wrong("6.4", says="edges becomes ()")
def lets_go_of_arrays_only(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=False):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        if not retain_graph and node.rule.saves_arrays:
            node.saved = None


@wrong("6.4", says="the edges were let go of before")
def frees_in_the_loop(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results, edges = turn(node, grads.pop(node)), node.edges
        if not retain_graph and results is not None and node.rule.saves_arrays:
            edges = node.edges = ()
            node.saved = None
        for edge, result in zip(edges, results or (), strict=False):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)


@wrong("6.4", says="the gradient of b")
def starts_without_what_seeds_say(seeds, retain_graph=False, turn=take_turn):
    grads, heap = {}, [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node) if node in grads else seeds[node])
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=False):
            if edge is not None and result is not None:
                waits = edge in seeds and edge not in grads
                deliver(result, edge, grads, [] if waits else heap)
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.4", says="the turns")
def only_one_begins(seeds, retain_graph=False, turn=take_turn):
    first = next(iter(seeds))
    grads, heap = {first: seeds[first]}, [(-first.number, first)]
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=False):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.5", says="some are from a call before")
def remembers_earlier_calls(nodes, found=set()):  # noqa: B006
    stack = list(nodes)
    found |= set(nodes)
    while stack:
        for edge in stack.pop().edges:
            if edge is not None and edge not in found:
                found.add(edge)
                stack.append(edge)
    return sorted(found, key=lambda node: node.number)


@wrong("6.5", says="None, a, None")
def stops_at_none(nodes):
    found, stack = set(nodes), list(nodes)
    while stack:
        for edge in stack.pop().edges:
            if edge is None:
                break
            if edge not in found:
                found.add(edge)
                stack.append(edge)
    return sorted(found, key=lambda node: node.number)


@wrong("6.5", says="reachable([d])")
def leaves_out_leaves(nodes):
    found, stack = set(nodes), list(nodes)
    while stack:
        for edge in stack.pop().edges:
            if edge is not None and edge not in found and edge.edges:
                found.add(edge)
                stack.append(edge)
    return sorted(found, key=lambda node: node.number)


@wrong("6.5", says="reachable([c, b, a])")
def begins_at_the_first_only(nodes):
    found, stack = {nodes[0]}, [nodes[0]]
    while stack:
        for edge in stack.pop().edges:
            if edge is not None and edge not in found:
                found.add(edge)
                stack.append(edge)
    return sorted(found, key=lambda node: node.number)


@wrong("6.5", says="reachable")
def wants_a_list(nodes):
    found, stack = set(nodes), nodes + []
    while stack:
        for edge in stack.pop().edges:
            if edge is not None and edge not in found:
                found.add(edge)
                stack.append(edge)
    return sorted(found, key=lambda node: node.number)


@wrong("6.5", says="each node once")
def twice_over(nodes):
    seen, found, stack = set(), [], list(nodes)
    while stack:
        node = stack.pop()
        found.append(node)
        if node not in seen:
            seen.add(node)
            stack += [edge for edge in node.edges if edge is not None]
    return sorted(found, key=lambda node: node.number)


@wrong("6.6", "counting.run_by_counting", says="is missing")
def overwrites_the_sum(root, seed, turn=take_turn):
    uses, grads, ready = count_uses(root), {root: seed}, [root]
    while ready:
        node = ready.pop()
        results = turn(node, grads.pop(node)) if node in grads else [None] * len(node.edges)
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None:
                if result is not None:
                    grads[edge] = result
                uses[edge] -= 1
                if uses[edge] == 0:
                    ready.append(edge)


@wrong("6.6", "counting.run_by_counting", says="for each edge count down")
def never_counts_down(root, seed, turn=take_turn):
    uses, grads, ready = count_uses(root), {root: seed}, [root]
    while ready:
        node = ready.pop()
        results = turn(node, grads.pop(node)) if node in grads else [None] * len(node.edges)
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None:
                add(result, edge, grads)
                if uses[edge] == 0:
                    ready.append(edge)


@wrong("6.6", "counting.run_by_counting", says="it hears twice")
def counts_down_once_a_node(root, seed, turn=take_turn):
    uses, grads, ready = count_uses(root), {root: seed}, [root]
    while ready:
        node = ready.pop()
        results = turn(node, grads.pop(node)) if node in grads else [None] * len(node.edges)
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None:
                add(result, edge, grads)
        for edge in {edge for edge in node.edges if edge is not None}:
            uses[edge] -= 1
            if uses[edge] == 0:
                ready.append(edge)


@wrong("6.6", "counting.count_uses", says="count_uses(d)")
def leaves_hear_nothing(root):
    uses = dict.fromkeys(reachable([root]), 0)
    for node in uses:
        for edge in node.edges:
            if edge is not None and edge.edges:
                uses[edge] += 1
    return uses


@wrong("6.6", "counting.run_by_counting", says="None goes on")
def none_for_those_without_a_way_on(root, seed, turn=take_turn):
    uses, grads, ready = count_uses(root), {root: seed}, [root]
    while ready:
        node = ready.pop()
        results = turn(node, grads.pop(node)) if node in grads else [None]
        for edge, result in zip(node.edges, results, strict=False):
            if edge is not None:
                add(result, edge, grads)
                uses[edge] -= 1
                if uses[edge] == 0:
                    ready.append(edge)


@wrong("6.6", "counting.run_by_counting", says="c still owes it something")
def ready_as_soon_as_something_is_heard(root, seed, turn=take_turn):
    uses, grads, ready = count_uses(root), {root: seed}, [root]
    while ready:
        node = ready.pop()
        results = turn(node, grads.pop(node)) if node in grads else [None] * len(node.edges)
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None:
                add(result, edge, grads)
                uses[edge] -= 1
                ready.append(edge)


@wrong("6.6", "counting.run_by_counting", says="called turn(silent, None)")
def the_silent_have_a_turn(root, seed, turn=take_turn):
    uses, grads, ready = count_uses(root), {root: seed}, [root]
    while ready:
        node = ready.pop()
        for edge, result in zip(node.edges, turn(node, grads.pop(node, None)), strict=True):
            if edge is not None:
                add(result, edge, grads)
                uses[edge] -= 1
                if uses[edge] == 0:
                    ready.append(edge)


@wrong("6.6", "counting.run_by_counting", says="expected")
def zeros_for_none(root, seed, turn=take_turn):
    uses, grads, ready = count_uses(root), {root: seed}, [root]
    while ready:
        node = ready.pop()
        for edge, result in zip(node.edges, turn(node, grads.pop(node)), strict=True):
            if edge is not None:
                add(0.0 if result is None else result, edge, grads)
                uses[edge] -= 1
                if uses[edge] == 0:
                    ready.append(edge)


@wrong("6.7", says="only looks")
def none_is_an_answer_of_the_node(self, grad):
    for hook in [*self.on_grad.values(), *self.retaining.values()]:
        grad = replaced(grad, hook(as_seen(grad)))
    for hook in list(self.before_backward.values()):
        grad = with_answers(grad, hook(of_results(grad)))
    return grad


@wrong("6.7", says="the order is that in which they came")
def from_the_last_to_the_first_hook(self, grad):
    for hook in [*self.on_grad.values(), *self.retaining.values()][::-1]:
        grad = replaced(grad, hook(as_seen(grad)))
    for hook in list(self.before_backward.values()):
        answer = hook(of_results(grad))
        grad = grad if answer is None else with_answers(grad, answer)
    return grad


@wrong("6.7", says="before(2) with hooks of the node")
def the_node_gets_the_last_answer(self, grad):
    for hook in [*self.on_grad.values(), *self.retaining.values()]:
        grad = replaced(grad, hook(as_seen(grad)))
    answers = [hook(of_results(grad)) for hook in list(self.before_backward.values())]
    answers = [answer for answer in answers if answer is not None]
    return with_answers(grad, answers[-1]) if answers else grad


@wrong("6.7", says="is for the hook alone")
def gives_a_tensor(self, grad):
    grad = as_seen(grad)
    for hook in [*self.on_grad.values(), *self.retaining.values()]:
        answer = hook(grad)
        grad = grad if answer is None else answer
    for hook in list(self.before_backward.values()):
        answer = hook(of_results(grad))
        grad = grad if answer is None else as_seen(answer[0])
    return grad


@wrong("6.7", says="who was called")
def retaining_first(self, grad):
    for hook in [*self.retaining.values(), *self.on_grad.values()]:
        grad = replaced(grad, hook(as_seen(grad)))
    for hook in list(self.before_backward.values()):
        answer = hook(of_results(grad))
        grad = grad if answer is None else with_answers(grad, answer)
    return grad


@wrong("6.7", says="before removes none")
def each_hook_works_once(self, grad):
    for kind in (self.on_grad, self.retaining):
        while kind:
            grad = replaced(grad, kind.pop(next(iter(kind)))(as_seen(grad)))
    for hook in list(self.before_backward.values()):
        answer = hook(of_results(grad))
        grad = grad if answer is None else with_answers(grad, answer)
    return grad


@wrong("6.1", says="expected a list")
def gives_a_tuple(self, grad):
    saved = self.saved_for(grad)
    return tuple(
        None if e is None else f(grad, *saved)
        for e, f in zip(self.edges, self.rule.formulas, strict=False)
    )


@wrong("6.1", says="ask it before the loop")
def asks_for_what_was_saved_in_the_loop(self, grad):
    results = []
    for e, f in zip(self.edges, self.rule.formulas, strict=False):
        results.append(None if e is None else f(grad, *self.saved_for(grad)))
    return results


@wrong("6.1", says="for run to say")
def lets_go_of_what_it_saved(self, grad):
    saved = self.saved_for(grad)
    r = [
        None if e is None else f(grad, *saved)
        for e, f in zip(self.edges, self.rule.formulas, strict=False)
    ]
    if self.rule.saves_arrays:
        self.saved = None
    return r


@wrong("6.1", says="each edge has a formula of its own")
def collects_by_edge(self, grad):
    saved = self.saved_for(grad)
    r = {}
    for e, f in zip(self.edges, self.rule.formulas, strict=False):
        r[e] = None if e is None else f(grad, *saved)
    return [r[e] for e in self.edges]


@wrong("6.1", says="each edge has a formula of its own")
def asks_each_node_once(self, grad):
    saved = self.saved_for(grad)
    seen, r = set(), []
    for e, f in zip(self.edges, self.rule.formulas, strict=False):
        if e is None or e in seen:
            r.append(None)
        else:
            r.append(f(grad, *saved))
        seen.add(e)
    return r


@wrong("6.1", says="the gradient for what a change")
def sends_the_dtype_that_came(self, grad):
    saved = self.saved_for(grad)
    r = [
        None if e is None else f(grad, *saved)
        for e, f in zip(self.edges, self.rule.formulas, strict=False)
    ]
    return [
        g if g is None else g.astype(grad.dtype) if isinstance(grad, np.ndarray) else g for g in r
    ]


@wrong("6.1", says="expected 3")
def looks_at_two_edges_only(self, grad):
    saved = self.saved_for(grad)
    f = self.rule.formulas
    if len(f) == 1:
        return [f[0](grad, *saved) if self.edges[0] is not None else None]
    a, b = self.edges[:2]
    return [
        f[0](grad, *saved) if a is not None else None,
        f[1](grad, *saved) if b is not None else None,
    ]


@wrong("6.2", "node.add_to_grad", says="is the Tensor that was there")
def makes_a_new_sum_where_the_old_one_is_recorded(tensor, grad):
    old = tensor._grad
    if old is None:
        tensor._grad = own(grad)
    elif type(grad) is Tensor or old._node is not None:
        tensor._grad = old + grad
    else:
        np.add(old._data, grad, out=old._data)
        memory.touch(old._data)


@wrong("6.2", "node.add_to_grad", says="x.grad.requires_grad")
def detaches_a_sum_with_an_array(tensor, grad):
    old = tensor._grad
    if old is None:
        tensor._grad = own(grad)
    elif type(grad) is Tensor:
        tensor._grad = own(old + grad).detach() if old._node is None else old + grad
    else:
        np.add(old._data, grad, out=old._data)
        memory.touch(old._data)


@wrong("6.2", "node.add_to_grad", says="needs no new Tensor")
def wraps_the_same_memory_anew(tensor, grad):
    old = tensor._grad
    if old is None:
        tensor._grad = own(grad)
    elif type(grad) is Tensor:
        tensor._grad = old + grad
    else:
        np.add(old._data, grad, out=old._data)
        memory.touch(old._data)
        tensor._grad = wrap(old._data)


@wrong("6.2", "node.add_to_grad", says="touch it each time")
def touches_the_first_time_only(tensor, grad):
    old = tensor._grad
    if old is None:
        tensor._grad = own(grad)
    elif type(grad) is Tensor:
        tensor._grad = old + grad
    else:
        np.add(old._data, grad, out=old._data)
        if memory.version_of(old._data) == 0:
            memory.touch(old._data)


@wrong("6.2", "node.add_to_grad", says="history was left behind")
def leaves_the_old_history_behind(tensor, grad):
    old = tensor._grad
    if old is None:
        tensor._grad = own(grad)
    elif type(grad) is Tensor:
        tensor._grad = old.detach() + grad
    else:
        np.add(old._data, grad, out=old._data)
        memory.touch(old._data)


@wrong("6.2", "node.AccumulateGrad.backward", says="is a Tensor without a history")
def an_empty_leaf_gets_nothing(self, grad):
    tensor = self.reference()
    if tensor is not None and tensor.numel() and tensor._node is not None:
        add_to_grad(tensor, grad)
    return ()


@wrong("6.2", "node.AccumulateGrad.backward", says="it asks again")
def a_leaf_that_asks_again_is_forgotten(self, grad):
    tensor = self.reference()
    if tensor is not None and tensor._node is self:
        add_to_grad(tensor, grad)
    return ()


@wrong("6.2", "node.AccumulateGrad.backward", says="the array was taken out")
def takes_the_array_out_of_a_tensor(self, grad):
    tensor = self.reference()
    if tensor is not None and tensor._node is not None:
        add_to_grad(tensor, grad._data if type(grad) is Tensor else grad)
    return ()


@wrong("6.2", "node.AccumulateGrad.backward", says="as it came")
def makes_an_array_of_what_came(self, grad):
    tensor = self.reference()
    if tensor is not None and tensor._node is not None:
        add_to_grad(tensor, np.array(grad))
    return ()


@wrong("6.2", "node.add_to_grad", says="other memory")
def touches_the_leaf_as_well(tensor, grad):
    old = tensor._grad
    if old is None:
        tensor._grad = own(grad)
    elif type(grad) is Tensor:
        tensor._grad = old + grad
    else:
        np.add(old._data, grad, out=old._data)
        memory.touch(old._data)
        memory.touch(tensor._data)


@wrong("6.2", "node.add_to_grad", says="x.grad isn't None")
def takes_zeros_for_none(tensor, grad):
    old = tensor._grad
    if old is None or not old._data.any():
        tensor._grad = own(grad)
    elif type(grad) is Tensor:
        tensor._grad = old + grad
    else:
        np.add(old._data, grad, out=old._data)
        memory.touch(old._data)


@wrong("6.2", "node.add_to_grad", says="no Tensor either")
def takes_numbers_for_tensors(tensor, grad):
    old = tensor._grad
    if old is None:
        tensor._grad = own(grad)
    elif type(grad) is np.ndarray:
        np.add(old._data, grad, out=old._data)
        memory.touch(old._data)
    else:
        tensor._grad = old + grad


@wrong("6.3", says="no 0 to begin with")
def begins_with_zero(result, edge, grads, heap):
    if edge not in grads:
        heappush(heap, (-edge.number, edge))
    grads[edge] = grads.get(edge, 0) + result


@wrong("6.3", says="grads alone says who waits")
def looks_through_the_heap(result, edge, grads, heap):
    pair = (-edge.number, edge)
    if pair in heap:
        grads[edge] = grads[edge] + result
    else:
        grads[edge] = result
        heappush(heap, pair)


@wrong("6.3", says="came again")
def the_same_array_counts_once(result, edge, grads, heap):
    if edge in grads:
        if grads[edge] is not result:
            grads[edge] = grads[edge] + result
    else:
        grads[edge] = result
        heappush(heap, (-edge.number, edge))


@wrong("6.4", says="not when all is over")
def lets_go_when_all_is_over(seeds, retain_graph=False, turn=take_turn):
    grads, heap, done = dict(seeds), [(-node.number, node) for node in seeds], []
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=False):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        done.append(node)
    if not retain_graph:
        for node in done:
            if node.rule.saves_arrays:
                node.edges, node.saved = (), None


@wrong("6.4", says="nothing holds its gradient")
def keeps_each_gradient_to_the_end(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads[node])
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=False):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.4", says="all seeds wait at once")
def walks_seed_by_seed(seeds, retain_graph=False, turn=take_turn):
    grads, heap = {}, []
    for seed, gradient in seeds.items():
        deliver(gradient, seed, grads, heap)
        while heap:
            node = heappop(heap)[1]
            results = turn(node, grads.pop(node))
            if results is None:
                continue
            for edge, result in zip(node.edges, results, strict=False):
                if edge is not None and result is not None:
                    deliver(result, edge, grads, heap)
            if not retain_graph and node.rule.saves_arrays:
                node.edges, node.saved = (), None


@wrong("6.4", says="heappop finds the youngest")
def looks_at_all_who_wait(seeds, retain_graph=False, turn=take_turn):
    grads = dict(seeds)
    while grads:
        node = max(grads, key=lambda n: n.number)
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=False):
            if edge is not None and result is not None:
                deliver(result, edge, grads, [])
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.4", says="edges included")
def lets_go_of_all_edges(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=False):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        if not retain_graph:
            node.edges = ()
            if node.rule.saves_arrays:
                node.saved = None


@wrong("6.4", says="only edges and saved")
def lets_go_of_hooks_too(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=False):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved, node.hooks = (), None, None


@wrong("6.4", says="turn was never called")
def never_asks_turn(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = take_turn(node, grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=False):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.5", says="each node once")
def keeps_a_root_that_comes_twice(nodes):
    found, order, stack = set(), list(nodes), list(nodes)
    found.update(nodes)
    while stack:
        for edge in stack.pop().edges:
            if edge is not None and edge not in found:
                found.add(edge)
                order.append(edge)
                stack.append(edge)
    return sorted(order, key=lambda n: n.number)


@wrong("6.5", says="a list is gone through for each node")
def looks_through_a_list(nodes):
    found, stack = list(dict.fromkeys(nodes)), list(nodes)
    while stack:
        for edge in stack.pop().edges:
            if edge is not None and edge not in found:
                found.append(edge)
                stack.append(edge)
    return sorted(found, key=lambda n: n.number)


@wrong("6.5", says="walk along edges")
def walks_along_next_functions(nodes):
    found, stack = set(nodes), list(nodes)
    while stack:
        for edge, _ in stack.pop().next_functions:
            if edge is not None and edge not in found:
                found.add(edge)
                stack.append(edge)
    return sorted(found, key=lambda n: n.number)


@wrong("6.6", "counting.count_uses", says="leads to none")
def counts_nobody_too(root):
    uses = dict.fromkeys(reachable([root]), 0)
    for node in uses:
        for edge in node.edges:
            uses[edge] = uses.get(edge, 0) + 1
    return uses


@wrong("6.6", "counting.count_uses", says="has walked the graph")
def counts_by_calling_itself(root):
    uses = {root: 0}

    def visit(node):
        for edge in node.edges:
            if edge is not None:
                if edge not in uses:
                    uses[edge] = 0
                    visit(edge)
                uses[edge] += 1

    visit(root)
    return uses


@wrong("6.6", "counting.run_by_counting", says="nobody lets go")
def lets_go_while_counting(root, seed, turn=take_turn):
    uses, grads, ready = count_uses(root), {root: seed}, [root]
    while ready:
        node = ready.pop()
        results = turn(node, grads.pop(node)) if node in grads else [None] * len(node.edges)
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None:
                add(result, edge, grads)
                uses[edge] -= 1
                if uses[edge] == 0:
                    ready.append(edge)
        if node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.6", "counting.count_uses", says="count along edges")
def counts_along_next_functions(root):
    uses = dict.fromkeys(reachable([root]), 0)
    for node in list(uses):
        for edge, _ in node.next_functions:
            if edge is not None:
                uses[edge] = uses.get(edge, 0) + 1
    return uses


@wrong("6.6", "counting.count_uses", says="nobody holds")
def leaves_out_leaves_that_are_gone(root):
    uses = dict.fromkeys(reachable([root]), 0)
    for node in uses:
        if node.saved is None or node.saved == ():
            pass
        for edge in node.edges:
            if edge is not None and (edge.edges or edge.reference() is not None):
                uses[edge] += 1
    return uses


@wrong("6.6", "counting.run_by_counting", says="at the second time")
def asks_who_is_ready_in_a_second_loop(root, seed, turn=take_turn):
    uses, grads, ready = count_uses(root), {root: seed}, [root]
    while ready:
        node = ready.pop()
        results = turn(node, grads.pop(node)) if node in grads else [None] * len(node.edges)
        for edge, result in zip(node.edges, results, strict=False):
            if edge is not None:
                add(result, edge, grads)
                uses[edge] -= 1
        for edge in node.edges:
            if edge is not None and uses[edge] == 0:
                ready.append(edge)


@wrong("6.6", "counting.run_by_counting", says="counting alone")
def hands_it_on_to_run(root, seed, turn=take_turn):
    from tinytorch.engine import run

    run({root: seed}, True, turn)


@wrong("6.6", "counting.run_by_counting", says="nothing holds its gradient")
def keeps_each_gradient_by_counting(root, seed, turn=take_turn):
    uses, grads, ready = count_uses(root), {root: seed}, [root]
    while ready:
        node = ready.pop()
        results = turn(node, grads[node]) if node in grads else [None] * len(node.edges)
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None:
                add(result, edge, grads)
                uses[edge] -= 1
                if uses[edge] == 0:
                    ready.append(edge)


@wrong("6.6", "counting.run_by_counting", says="turn was never called")
def never_asks_turn_by_counting(root, seed, turn=take_turn):
    uses, grads, ready = count_uses(root), {root: seed}, [root]
    while ready:
        node = ready.pop()
        results = take_turn(node, grads.pop(node)) if node in grads else [None] * len(node.edges)
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None:
                add(result, edge, grads)
                uses[edge] -= 1
                if uses[edge] == 0:
                    ready.append(edge)


@wrong("6.7", says="walk through a list of the values")
def looks_each_key_up(self, grad):
    for kind in (self.on_grad, self.retaining):
        for key in list(kind):
            grad = replaced(grad, kind[key](as_seen(grad)))
    for key in list(self.before_backward):
        answer = self.before_backward[key](of_results(grad))
        grad = grad if answer is None else with_answers(grad, answer)
    return grad


@wrong("6.7", says="of_results(grad)")
def knows_one_result_only(self, grad):
    for hook in [*self.on_grad.values(), *self.retaining.values()]:
        grad = replaced(grad, hook(as_seen(grad)))
    for hook in list(self.before_backward.values()):
        answer = hook((as_seen(grad),))
        grad = grad if answer is None else replaced(grad, answer[0])
    return grad


@wrong("6.7", says="answers")
def does_not_ask_those_that_retain(self, grad):
    for hook in list(self.on_grad.values()):
        grad = replaced(grad, hook(as_seen(grad)))
    for hook in list(self.retaining.values()):
        hook(as_seen(grad))
    for hook in list(self.before_backward.values()):
        answer = hook(of_results(grad))
        grad = grad if answer is None else with_answers(grad, answer)
    return grad


@wrong("6.7", says="walk through a list")
def forgets_hooks_once_called(self, grad):
    for kind in (self.on_grad, self.retaining):
        for key in list(kind):
            grad = replaced(grad, kind.pop(key)(as_seen(grad)))
    for hook in list(self.before_backward.values()):
        answer = hook(of_results(grad))
        grad = grad if answer is None else with_answers(grad, answer)
    return grad


@wrong("6.1", says="says so itself")
def skips_a_node_that_was_freed(self, grad):
    saved = self.saved_for(grad)
    results = []
    for edge, formula in zip(self.edges, self.rule.formulas, strict=False):
        if edge is None or edge.freed:
            results.append(None)
        else:
            results.append(formula(grad, *saved))
    return results


@wrong("6.2", "node.add_to_grad", says="each Tensor is added with +")
def adds_a_plain_tensor_in_place(tensor, grad):
    old = tensor._grad
    if old is None:
        tensor._grad = own(grad)
    elif type(grad) is Tensor and grad.requires_grad:
        tensor._grad = old + grad
    else:
        array = grad._data if type(grad) is Tensor else grad
        np.add(old._data, array, out=old._data)
        memory.touch(old._data)


@wrong("6.2", "node.add_to_grad", says="it is as it was")
def touches_where_nothing_changed(tensor, grad):
    old = tensor._grad
    if old is None:
        tensor._grad = own(grad)
    elif type(grad) is Tensor:
        tensor._grad = old + grad
        memory.touch(old._data)
    else:
        np.add(old._data, grad, out=old._data)
        memory.touch(old._data)


@wrong("6.3", says="grads alone says who waits")
def asks_the_heap_who_waits(result, edge, grads, heap):
    if any(node is edge for _, node in heap):
        grads[edge] = grads[edge] + result
    else:
        grads[edge] = result
        heappush(heap, (-edge.number, edge))


@wrong("6.3", says="grads alone says who waits")
def puts_it_on_the_heap_anew(result, edge, grads, heap):
    if edge in grads:
        old = grads.pop(edge)
        grads[edge] = old + result
        heap[:] = [pair for pair in heap if pair[1] is not edge]
    else:
        grads[edge] = result
    heappush(heap, (-edge.number, edge))


@wrong("6.4", says="only None is none")
def sends_no_zeros_on(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=False):
            if (
                edge is not None
                and result is not None
                and (isinstance(result, dict) or result.any())
            ):
                deliver(result, edge, grads, heap)
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.5", says="a set that it was given")
def adds_to_the_set_it_was_given(nodes):
    found = nodes if isinstance(nodes, set) else set(nodes)
    stack = list(nodes)
    while stack:
        for edge in stack.pop().edges:
            if edge is not None and edge not in found:
                found.add(edge)
                stack.append(edge)
    return sorted(found, key=lambda node: node.number)


@wrong("6.5", says="freed or not")
def leaves_out_what_was_freed(nodes):
    found, stack = set(nodes), list(nodes)
    while stack:
        for edge in stack.pop().edges:
            if edge is not None and not edge.freed and edge not in found:
                found.add(edge)
                stack.append(edge)
    return sorted(found, key=lambda node: node.number)


@wrong("6.7", says="calls the hook again")
def asks_each_hook_twice(self, grad):
    for hook in [*self.on_grad.values(), *self.retaining.values()]:
        if hook(as_seen(grad)) is not None:
            grad = replaced(grad, hook(as_seen(grad)))
    for hook in list(self.before_backward.values()):
        answer = hook(of_results(grad))
        grad = grad if answer is None else with_answers(grad, answer)
    return grad


@wrong("6.7", says="its answer is lost")
def looks_at_the_first_answer_only(self, grad):
    for hook in [*self.on_grad.values(), *self.retaining.values()]:
        grad = replaced(grad, hook(as_seen(grad)))
    for hook in list(self.before_backward.values()):
        answer = hook(of_results(grad))
        grad = grad if not answer or answer[0] is None else with_answers(grad, answer)
    return grad


@wrong("6.7", says="its answer is lost")
def answers_replace_what_came_first(self, grad):
    first = grad
    for hook in [*self.on_grad.values(), *self.retaining.values()]:
        grad = replaced(grad, hook(as_seen(grad)))
    for hook in list(self.before_backward.values()):
        answer = hook(of_results(grad))
        grad = grad if answer is None else with_answers(first, answer)
    return grad


@wrong("6.7", says="only None is no answer")
def takes_an_answer_for_one_result_only(self, grad):
    for hook in [*self.on_grad.values(), *self.retaining.values()]:
        grad = replaced(grad, hook(as_seen(grad)))
    for hook in list(self.before_backward.values()):
        answer = hook(of_results(grad))
        if isinstance(answer, tuple) and len(answer) == 1:
            grad = with_answers(grad, answer)
    return grad


@wrong("6.1", says="the Tensor that came")
def takes_the_array_out_first(self, grad):
    saved = self.saved_for(grad)
    if type(grad) is Tensor:
        grad = grad._data
    return [
        None if e is None else f(grad, *saved)
        for e, f in zip(self.edges, self.rule.formulas, strict=True)
    ]


@wrong("6.1", says="the Tensor that came")
def detaches_what_came(self, grad):
    saved = self.saved_for(grad)
    if type(grad) is Tensor:
        grad = grad.detach()
    return [
        None if e is None else f(grad, *saved)
        for e, f in zip(self.edges, self.rule.formulas, strict=True)
    ]


@wrong("6.1", says="a Tensor stays one")
def makes_arrays_of_what_formulas_give(self, grad):
    saved = self.saved_for(grad)
    return [
        None if e is None else np.asarray(f(grad, *saved))
        for e, f in zip(self.edges, self.rule.formulas, strict=True)
    ]


@wrong("6.1", says="what a formula gives stays as it is")
def copies_each_result(self, grad):
    saved = self.saved_for(grad)
    if type(grad) is np.ndarray:
        return [
            None if e is None else np.array(f(grad, *saved))
            for e, f in zip(self.edges, self.rule.formulas, strict=True)
        ]
    return [
        None if e is None else f(grad, *saved)
        for e, f in zip(self.edges, self.rule.formulas, strict=True)
    ]


@wrong("6.2", "node.AccumulateGrad.backward", says="what was there is lost")
def an_array_wipes_a_history(self, grad):
    tensor = self.reference()
    if tensor is not None and tensor._node is not None:
        if tensor._grad is not None and tensor._grad.requires_grad and type(grad) is not Tensor:
            tensor._grad = None
        add_to_grad(tensor, grad)
    return ()


@wrong("6.2", "node.AccumulateGrad.backward", says="anything else would keep it alive")
def holds_its_leaf(self, grad):
    tensor = self.reference()
    if tensor is not None and tensor._node is not None:
        add_to_grad(tensor, grad)
        self.array = tensor
    return ()


@wrong("6.2", "node.add_to_grad", says="added into its memory")
def a_view_gets_a_new_tensor(tensor, grad):
    old = tensor._grad
    if old is None:
        tensor._grad = own(grad)

    elif type(grad) is Tensor:
        tensor._grad = old + grad
    else:
        if old._data.base is not None:
            old = tensor._grad = own(old._data)
        old._data += grad
        memory.touch(old._data)


@wrong("6.2", "node.add_to_grad", says="in other memory")
def a_view_gets_new_memory(tensor, grad):
    old = tensor._grad
    if old is None:
        tensor._grad = own(grad)
    elif type(grad) is Tensor:
        tensor._grad = old + grad
    else:
        if old._data.base is not None:
            old._data = old._data.copy()
        old._data += grad
        memory.touch(old._data)


@wrong("6.2", "node.add_to_grad", says="in other memory")
def numbers_get_new_memory(tensor, grad):
    old = tensor._grad
    if old is None:
        tensor._grad = own(grad)
    elif type(grad) is Tensor:
        tensor._grad = old + grad
    elif old._data.ndim == 0:
        old._data = np.asarray(old._data + grad)
        memory.touch(old._data)
    else:
        old._data += grad
        memory.touch(old._data)


@wrong("6.2", "node.add_to_grad", says="may be a number")
def takes_numbers_for_arrays(tensor, grad):
    old = tensor._grad
    if old is None:
        tensor._grad = own(grad)
    elif type(grad) is Tensor:
        tensor._grad = old + grad
    else:
        old._data += grad.astype(old._data.dtype)
        memory.touch(old._data)


@wrong("6.2", "node.add_to_grad", says="its history stays")
def cuts_the_old_one_off(tensor, grad):
    old = tensor._grad
    if old is None:
        tensor._grad = own(grad)

    elif type(grad) is Tensor:
        tensor._grad = old + grad
    else:
        old._data += grad
        old._node = None
        memory.touch(old._data)


@wrong("6.3", says="ask grads, a dict, who waits")
def asks_everybody_on_the_heap(result, edge, grads, heap):
    if edge in grads:
        grads[edge] = grads[edge] + result
    else:
        grads[edge] = result
        if not any(waiting is edge for _, waiting in heap):
            heappush(heap, (-edge.number, edge))


@wrong("6.3", says="ask grads, a dict, who waits")
def asks_for_all_numbers_on_the_heap(result, edge, grads, heap):
    if edge in grads:
        grads[edge] = grads[edge] + result
    else:
        grads[edge] = result
        if -edge.number not in {number for number, _ in heap}:
            heappush(heap, (-edge.number, edge))


@wrong("6.3", says="ask grads, a dict, who waits")
def lists_all_who_wait(result, edge, grads, heap):
    if edge in list(grads):
        grads[edge] = grads[edge] + result
    else:
        grads[edge] = result
        heappush(heap, (-edge.number, edge))


@wrong("6.3", says="leads to the second one's leaf")
def no_second_zero(result, edge, grads, heap):
    if edge in grads:
        if hasattr(result, "any") and not result.any():
            return
        grads[edge] = grads[edge] + result
    else:
        grads[edge] = result
        heappush(heap, (-edge.number, edge))


@wrong("6.3", says="a Tensor stays a Tensor")
def np_add(result, edge, grads, heap):
    import numpy as np

    if edge in grads:
        grads[edge] = np.add(grads[edge], result)
    else:
        grads[edge] = result
        heappush(heap, (-edge.number, edge))


@wrong("6.3", says="nothing is to be added, copied or changed yet")
def makes_an_array_of_the_first(result, edge, grads, heap):
    import numpy as np

    if edge in grads:
        grads[edge] = grads[edge] + result
    else:
        grads[edge] = np.asarray(result)
        heappush(heap, (-edge.number, edge))


@wrong("6.3", says="isinstance(grads[node], Tensor)")
def takes_the_arrays_out_of_both(result, edge, grads, heap):
    if edge in grads:
        grads[edge] = getattr(grads[edge], "_data", grads[edge]) + getattr(result, "_data", result)
    else:
        grads[edge] = result
        heappush(heap, (-edge.number, edge))


@wrong("6.3", says="whatever came first")
def an_empty_first_gradient_waits_nowhere(result, edge, grads, heap):
    if edge in grads:
        grads[edge] = grads[edge] + result
    else:
        grads[edge] = result
        if getattr(result, "ndim", 0) == 0 or getattr(result, "size", 1):
            heappush(heap, (-edge.number, edge))


@wrong("6.4", says="nothing holds its gradient")
def pops_after_the_look_for_none(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads[node])
        if results is None:
            continue
        del grads[node]
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.4", says="nothing holds its gradient")
def pops_when_all_is_delivered(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads[node])
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        del grads[node]
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.4", says="the other seeds wait from the start")
def puts_the_first_seed_on_the_heap(seeds, retain_graph=False, turn=take_turn):
    root = next(iter(seeds))
    grads, heap = dict(seeds), [(-root.number, root)]
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.4", says="no list of your own")
def keeps_what_was_sent(seeds, retain_graph=False, turn=take_turn):
    grads, heap, history = dict(seeds), [(-node.number, node) for node in seeds], []
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        history.append(results)
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.4", says="the youngest goes next, not the last")
def takes_the_last(seeds, retain_graph=False, turn=take_turn):
    grads, waiting = dict(seeds), list(seeds)
    while waiting:
        node = waiting.pop()
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None and result is not None:
                if edge not in grads:
                    waiting.append(edge)
                grads[edge] = grads[edge] + result if edge in grads else result
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.5", says="a list is gone through for each node")
def looks_numbers_up_in_a_list(nodes):
    found, numbers, stack = [], [], list(nodes)
    while stack:
        node = stack.pop()
        if node.number in numbers:
            continue
        numbers.append(node.number)
        found.append(node)
        stack.extend(edge for edge in node.edges if edge is not None)
    return sorted(found, key=lambda node: node.number)


@wrong("6.5", says="things in a list move up for each node")
def makes_a_list_of_numbers_each_time(nodes):
    from bisect import bisect_left

    order, stack = [], list(nodes)
    while stack:
        node = stack.pop()
        numbers = [n.number for n in order]
        i = bisect_left(numbers, node.number)
        if i < len(order) and order[i] is node:
            continue
        order.insert(i, node)
        stack.extend(edge for edge in node.edges if edge is not None)
    return order


@wrong("6.6", "counting.count_uses", says="a list is gone through for each node")
def counts_with_a_list_of_those_seen(root):
    uses, seen, stack = {root: 0}, [], [root]
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.append(node)
        for edge in node.edges:
            if edge is not None:
                uses[edge] = uses.get(edge, 0) + 1
                stack.append(edge)
    return uses


@wrong("6.6", "counting.count_uses", says="expected nodes for keys")
def counts_under_numbers(root):
    uses = {node.number: 0 for node in reachable([root])}
    for node in reachable([root]):
        for edge in node.edges:
            if edge is not None:
                uses[edge.number] += 1
    return uses


@wrong("6.6", "counting.count_uses", says="found or walked before")
def leaves_out_edges_to_nodes_walked_before(root):
    uses, stack, seen = {root: 0}, [root], set()
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        for edge in node.edges:
            if edge is not None:
                if edge not in uses:
                    uses[edge] = 0
                    stack.append(edge)
                    uses[edge] += 1
                elif edge not in seen:
                    uses[edge] += 1
    return uses


@wrong("6.6", "counting.count_uses", says="count_uses.cache still holds a node afterwards")
def remembers_what_it_counted(root):
    cache = count_uses.__dict__.setdefault("cache", {})
    if root not in cache:
        uses = dict.fromkeys(reachable([root]), 0)
        for node in uses:
            for edge in node.edges:
                if edge is not None:
                    uses[edge] += 1
        cache[root] = uses
    return dict(cache[root])


@wrong("6.6", "counting.run_by_counting", says="no list of yours")
def keeps_what_was_sent_by_counting(root, seed, turn=take_turn):
    uses, grads, ready, spoken = count_uses(root), {root: seed}, [root], []
    while ready:
        node = ready.pop()
        results = turn(node, grads.pop(node)) if node in grads else [None] * len(node.edges)
        spoken.append(results)
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None:
                add(result, edge, grads)
                uses[edge] -= 1
                if uses[edge] == 0:
                    ready.append(edge)


@wrong("6.6", "counting.run_by_counting", says="only None is none")
def takes_zeros_for_none_by_counting(root, seed, turn=take_turn):
    uses, grads, ready = count_uses(root), {root: seed}, [root]
    while ready:
        node = ready.pop()
        results = turn(node, grads.pop(node)) if node in grads else [None] * len(node.edges)
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None:
                if not (hasattr(result, "any") and not result.any()):
                    add(result, edge, grads)
                uses[edge] -= 1
                if uses[edge] == 0:
                    ready.append(edge)


@wrong("6.7", says="may be left out")
def ends_at_a_hook_that_is_gone(self, grad):
    for hook in [*self.on_grad.values(), *self.retaining.values()]:
        if hook not in self.on_grad.values() and hook not in self.retaining.values():
            break
        grad = replaced(grad, hook(as_seen(grad)))
    for hook in list(self.before_backward.values()):
        answer = hook(of_results(grad))
        grad = grad if answer is None else with_answers(grad, answer)
    return grad


@wrong("6.7", says="may be left out")
def ends_at_a_hook_of_the_node_that_is_gone(self, grad):
    for hook in [*self.on_grad.values(), *self.retaining.values()]:
        grad = replaced(grad, hook(as_seen(grad)))
    for key, hook in list(self.before_backward.items()):
        if key not in self.before_backward:
            break
        answer = hook(of_results(grad))
        grad = grad if answer is None else with_answers(grad, answer)
    return grad


@wrong("6.7", says="also that of a hook that removes itself")
def forgets_the_answer_of_who_removed_itself(self, grad):
    for hooks in (self.on_grad, self.retaining):
        for key, hook in list(hooks.items()):
            new = replaced(grad, hook(as_seen(grad)))
            if key in hooks:
                grad = new
    for hook in list(self.before_backward.values()):
        answer = hook(of_results(grad))
        grad = grad if answer is None else with_answers(grad, answer)
    return grad


@wrong("6.7", says="also that of a hook that removes itself")
def forgets_the_nodes_answer_of_who_removed_itself(self, grad):
    for hook in [*self.on_grad.values(), *self.retaining.values()]:
        grad = replaced(grad, hook(as_seen(grad)))
    for key, hook in list(self.before_backward.items()):
        answer = hook(of_results(grad))
        if answer is not None and key in self.before_backward:
            grad = with_answers(grad, answer)
    return grad


@wrong("6.7", says="gives it as it is")
def shows_it_without_its_history(self, grad):
    for hook in [*self.on_grad.values(), *self.retaining.values()]:
        grad = replaced(grad, hook(as_seen(grad).detach()))
    for hook in list(self.before_backward.values()):
        answer = hook(of_results(grad))
        grad = grad if answer is None else with_answers(grad, answer)
    return grad


@wrong("6.7", says="gives it as it is")
def shows_the_results_without_their_history(self, grad):
    for hook in [*self.on_grad.values(), *self.retaining.values()]:
        grad = replaced(grad, hook(as_seen(grad)))
    for hook in list(self.before_backward.values()):
        answer = hook(tuple([None if g is None else g.detach() for g in of_results(grad)]))
        grad = grad if answer is None else with_answers(grad, answer)
    return grad


@wrong("6.7", says="makes no copy")
def shows_a_copy(self, grad):
    for hook in [*self.on_grad.values(), *self.retaining.values()]:
        grad = replaced(grad, hook(as_seen(grad).clone()))
    for hook in list(self.before_backward.values()):
        answer = hook(of_results(grad))
        grad = grad if answer is None else with_answers(grad, answer)
    return grad


@wrong("6.7", says="is for one gradient")
def shows_all_the_first_look(self, grad):
    seen = as_seen(grad)
    for hook in [*self.on_grad.values(), *self.retaining.values()]:
        answer = hook(seen)
        if answer is not None:
            seen = answer
    grad = replaced(grad, seen)
    for hook in list(self.before_backward.values()):
        answer = hook(of_results(grad))
        grad = grad if answer is None else with_answers(grad, answer)
    return grad


@wrong("6.7", says="is for the hook alone")
def gives_what_hooks_see(self, grad):
    for hook in [*self.on_grad.values(), *self.retaining.values()]:
        grad = replaced(grad, hook(as_seen(grad)))
    for hook in list(self.before_backward.values()):
        answer = hook(of_results(grad))
        grad = grad if answer is None else with_answers(grad, answer)
    return as_seen(grad)


@wrong("6.5", says="put in order again and again")
def sorts_who_waits_each_time(nodes):
    found, stack = set(nodes), list(nodes)
    while stack:
        stack.sort(key=lambda node: node.number)
        for edge in stack.pop().edges:
            if edge is not None and edge not in found:
                found.add(edge)
                stack.append(edge)
    return sorted(found, key=lambda node: node.number)


@wrong("6.1", says="element [8]")
def cleans_what_it_gives(self, grad):
    saved = self.saved_for(grad)
    pairs = zip(self.edges, self.rule.formulas, strict=True)
    results = [None if edge is None else formula(grad, *saved) for edge, formula in pairs]
    return [np.nan_to_num(each) if isinstance(each, np.ndarray) else each for each in results]


@wrong("6.1", says="changed grad")
def cleans_what_came(self, grad):
    if isinstance(grad, np.ndarray):
        np.nan_to_num(grad, copy=False)
    saved = self.saved_for(grad)
    pairs = zip(self.edges, self.rule.formulas, strict=True)
    return [None if edge is None else formula(grad, *saved) for edge, formula in pairs]


@wrong("6.1", says="let the formulas be recorded")
def calls_formulas_under_no_grad(self, grad):
    from tinytorch import no_grad

    saved = self.saved_for(grad)
    pairs = zip(self.edges, self.rule.formulas, strict=True)
    with no_grad():
        return [None if edge is None else formula(grad, *saved) for edge, formula in pairs]


@wrong("6.2", "node.AccumulateGrad.backward", says="0 is a gradient, too")
def has_nothing_to_add_for_zeros(self, grad):
    tensor = self.reference()
    if tensor is not None and tensor._node is not None and getattr(grad, "_data", grad).any():
        add_to_grad(tensor, grad)
    return ()


@wrong("6.2", "node.add_to_grad", says="expected [nan, 2]")
def adds_what_is_a_number(tensor, grad):
    old = tensor._grad
    if old is None:
        tensor._grad = own(grad)
    elif type(grad) is Tensor:
        tensor._grad = old + grad
    else:
        np.add(old._data, np.nan_to_num(grad), out=old._data)
        memory.touch(old._data)


@wrong("6.2", "node.add_to_grad", says="each Tensor is added with +")
def adds_a_tensor_in_place_under_no_grad(tensor, grad):
    from tinytorch import is_grad_enabled

    old = tensor._grad
    if old is None:
        tensor._grad = own(grad)
    elif type(grad) is Tensor and is_grad_enabled():
        tensor._grad = old + grad
    else:
        array = grad._data if type(grad) is Tensor else grad
        np.add(old._data, array, out=old._data)
        memory.touch(old._data)


@wrong("6.3", says="is a new array")
def adds_no_zeros_to_a_sum(result, edge, grads, heap):
    import numpy as np

    if edge not in grads:
        grads[edge] = result
        heappush(heap, (-edge.number, edge))
    elif not isinstance(result, np.ndarray) or result.any():
        grads[edge] = grads[edge] + result


@wrong("6.3", says="expected [nan]")
def adds_numbers_only(result, edge, grads, heap):
    import numpy as np

    if edge in grads:
        clean = np.nan_to_num(result) if isinstance(result, np.ndarray) else result
        grads[edge] = grads[edge] + clean
    else:
        grads[edge] = result
        heappush(heap, (-edge.number, edge))


@wrong("6.4", says="which asks the hooks")
def takes_turns_without_hooks(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        grad = grads.pop(node)
        results = node.backward(grad) if turn is take_turn else turn(node, grad)
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.4", says="positional-only")
def calls_the_turn_by_keywords(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node=node, grad=grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.4", says="a turn's error comes out")
def goes_on_after_an_error(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        try:
            results = turn(node, grads.pop(node))
        except RuntimeError:
            continue
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.4", says="whoever was freed says so itself")
def passes_over_who_is_freed(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        if node.freed:
            continue
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.4", says="they all wait from the start")
def begins_with_the_last_seed_alone(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    del heap[:-1]
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.4", says="edges becomes ()")
def leaves_none_for_edges(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = None, None


@wrong("6.5", says="no call inside a call")
def raises_the_recursion_limit(nodes):
    import sys

    found, before = set(), sys.getrecursionlimit()

    def visit(node):
        if node is not None and node not in found:
            found.add(node)
            for edge in node.edges:
                visit(edge)

    sys.setrecursionlimit(100_000)
    try:
        for node in nodes:
            visit(node)
    finally:
        sys.setrecursionlimit(before)
    return sorted(found, key=lambda node: node.number)


@wrong("6.5", says="a collection is made anew for each node")
def copies_its_stack(nodes):
    found, stack = set(nodes), list(nodes)
    while stack:
        node, stack = stack[-1], stack[:-1]
        for edge in node.edges:
            if edge is not None and edge not in found:
                found.add(edge)
                stack = [*stack, edge]
    return sorted(found, key=lambda node: node.number)


@wrong("6.5", says="a collection is made anew for each node")
def copies_who_was_found(nodes):
    found, stack = set(nodes), list(nodes)
    while stack:
        new = {edge for edge in stack.pop().edges if edge is not None} - found
        found = found | new
        stack.extend(new)
    return sorted(found, key=lambda node: node.number)


@wrong("6.6", "counting.count_uses", says="a collection is made anew for each node")
def copies_who_is_left_to_count(root):
    uses, left = {root: 0}, (root,)
    while left:
        node, left = left[0], left[1:]
        for edge in node.edges:
            if edge is not None:
                left = left if edge in uses else (*left, edge)
                uses[edge] = uses.get(edge, 0) + 1
    return uses


@wrong("6.6", "counting.run_by_counting", says="a collection is made anew for each node")
def copies_who_is_ready(root, seed, turn=take_turn):
    uses, grads, ready = count_uses(root), {root: seed}, [root]
    while ready:
        node, ready = ready[-1], ready[:-1]
        results = turn(node, grads.pop(node)) if node in grads else [None] * len(node.edges)
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None:
                add(result, edge, grads)
                uses[edge] -= 1
                if uses[edge] == 0:
                    ready.append(edge)


@wrong("6.6", "counting.run_by_counting", says="positional-only")
def calls_the_counted_turn_by_keywords(root, seed, turn=take_turn):
    uses, grads, ready = count_uses(root), {root: seed}, [root]
    while ready:
        node = ready.pop()
        results = [None] * len(node.edges)
        if node in grads:
            results = turn(node=node, grad=grads.pop(node))
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None:
                add(result, edge, grads)
                uses[edge] -= 1
                if uses[edge] == 0:
                    ready.append(edge)


@wrong("6.6", "counting.run_by_counting", says="a turn's error comes out")
def takes_an_error_for_silence(root, seed, turn=take_turn):
    uses, grads, ready = count_uses(root), {root: seed}, [root]
    while ready:
        node = ready.pop()
        try:
            results = turn(node, grads.pop(node))
        except Exception:
            results = [None] * len(node.edges)
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None:
                add(result, edge, grads)
                uses[edge] -= 1
                if uses[edge] == 0:
                    ready.append(edge)


@wrong("6.6", "counting.run_by_counting", says="which asks the hooks")
def counts_without_hooks(root, seed, turn=take_turn):
    uses, grads, ready = count_uses(root), {root: seed}, [root]
    while ready:
        node = ready.pop()
        call = (lambda node, grad: node.backward(grad)) if turn is take_turn else turn
        results = call(node, grads.pop(node)) if node in grads else [None] * len(node.edges)
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None:
                add(result, edge, grads)
                uses[edge] -= 1
                if uses[edge] == 0:
                    ready.append(edge)


@wrong("6.6", "counting.run_by_counting", says="expected [nan]")
def takes_nan_for_none(root, seed, turn=take_turn):
    import numpy as np

    uses, grads, ready = count_uses(root), {root: seed}, [root]
    while ready:
        node = ready.pop()
        results = turn(node, grads.pop(node)) if node in grads else [None] * len(node.edges)
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None:
                if not (isinstance(result, np.ndarray) and np.isnan(result).any()):
                    add(result, edge, grads)
                uses[edge] -= 1
                if uses[edge] == 0:
                    ready.append(edge)


@wrong("6.6", "counting.run_by_counting", says="each node is ready once")
def calls_everybody_ready_at_once(root, seed, turn=take_turn):
    grads, ready = {root: seed}, [root]
    while ready:
        node = ready.pop()
        for edge, result in zip(node.edges, turn(node, grads.pop(node)), strict=True):
            if edge is not None and result is not None:
                add(result, edge, grads)
                ready.append(edge)


@wrong("6.7", says="how often it was called")
def calls_a_hook_that_is_true(self, grad):
    for hook in [*self.on_grad.values(), *self.retaining.values()]:
        if hook:
            grad = replaced(grad, hook(as_seen(grad)))
    for hook in list(self.before_backward.values()):
        answer = hook(of_results(grad))
        grad = grad if answer is None else with_answers(grad, answer)
    return grad


@wrong("6.7", says="raise it: let them")
def keeps_errors_of_hooks_quiet(self, grad):
    for hook in [*self.on_grad.values(), *self.retaining.values()]:
        try:
            grad = replaced(grad, hook(as_seen(grad)))
        except RuntimeError:
            continue
    for hook in list(self.before_backward.values()):
        answer = hook(of_results(grad))
        grad = grad if answer is None else with_answers(grad, answer)
    return grad


@wrong("6.7", says="before removes none")
def takes_hooks_out(self, grad):
    while self.on_grad:
        hook = self.on_grad.pop(next(iter(self.on_grad)))
        grad = replaced(grad, hook(as_seen(grad)))
    for hook in list(self.retaining.values()):
        grad = replaced(grad, hook(as_seen(grad)))
    for hook in list(self.before_backward.values()):
        answer = hook(of_results(grad))
        grad = grad if answer is None else with_answers(grad, answer)
    return grad


@wrong("6.7", "hooks.Hooks.before", says="a zero is an answer")
def zeros_are_no_answer(self, grad):
    for hook in [*self.on_grad.values(), *self.retaining.values()]:
        answer = hook(as_seen(grad))
        if answer is not None and answer._data.any():
            grad = replaced(grad, answer)
    for hook in list(self.before_backward.values()):
        answer = hook(of_results(grad))
        if answer:
            grad = with_answers(grad, answer)
    return grad


@wrong("6.3", says="deliver of float, the first")
def the_first_becomes_an_array(result, edge, grads, heap):
    import numpy as np

    if edge in grads:
        grads[edge] = grads[edge] + result
    else:
        grads[edge] = result if hasattr(result, "_data") else np.asarray(result)
        heappush(heap, (-edge.number, edge))


@wrong("6.4", says="rule.saves_arrays says so, whatever lies in saved")
def looks_for_arrays_in_saved(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        if not retain_graph and any(hasattr(item, "shape") for item in node.saved):
            node.edges, node.saved = (), None


@wrong("6.6", "counting.run_by_counting", says="as by pop(0) or insert")
def moves_up_all_who_are_left(root, seed, turn=take_turn):
    uses, grads, ready = count_uses(root), {root: seed}, [root]
    while ready:
        node = ready.pop(0)
        nothing = [None] * len(node.edges)
        results = turn(node, grads.pop(node)) if node in grads else nothing
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None:
                add(result, edge, grads)
                uses[edge] -= 1
                if uses[edge] == 0:
                    ready.append(edge)


@wrong("6.5", says="as by pop(0) or insert")
def queues_in_a_list(nodes):
    found, queue = set(nodes), list(nodes)
    while queue:
        for edge in queue.pop(0).edges:
            if edge is not None and edge not in found:
                found.add(edge)
                queue.append(edge)
    return sorted(found, key=lambda node: node.number)


@wrong("6.6", "counting.run_by_counting", says="done at the second")
def waits_for_users_not_uses(root, seed, turn=take_turn):
    users = {}
    for node in reachable([root]):
        for edge in node.edges:
            if edge is not None:
                users.setdefault(edge, set()).add(node)
    grads, ready = {root: seed}, [root]
    while ready:
        node = ready.pop()
        nothing = [None] * len(node.edges)
        results = turn(node, grads.pop(node)) if node in grads else nothing
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None:
                add(result, edge, grads)
                users[edge].discard(node)
                if not users[edge]:
                    ready.append(edge)


@wrong("6.6", "counting.run_by_counting", says="None goes on")
def a_silent_node_speaks_for_its_first_edge_alone(root, seed, turn=take_turn):
    uses, grads, ready = count_uses(root), {root: seed}, [root]
    while ready:
        node = ready.pop()
        nothing = [None] * len(node.edges)
        results = turn(node, grads.pop(node)) if node in grads else nothing
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None:
                add(result, edge, grads)
                uses[edge] -= 1
                first = edge.edges[0] if edge.edges else None
                if uses[edge] == 0 and (edge in grads or first is not None):
                    ready.append(edge)


@wrong("6.7", says="two keys are two hooks")
def a_hook_that_comes_again_is_left_out(self, grad):
    for hook in [*self.on_grad.values(), *self.retaining.values()]:
        grad = replaced(grad, hook(as_seen(grad)))
    for hook in dict.fromkeys(self.before_backward.values()):
        answer = hook(of_results(grad))
        grad = grad if answer is None else with_answers(grad, answer)
    return grad


@wrong("6.7", says="give it every answer")
def an_answer_of_another_type_is_dropped(self, grad):
    from tinytorch.tensor import Tensor

    for hook in [*self.on_grad.values(), *self.retaining.values()]:
        answer = hook(as_seen(grad))
        if isinstance(answer, Tensor):
            grad = replaced(grad, answer)
    for hook in list(self.before_backward.values()):
        answer = hook(of_results(grad))
        grad = grad if answer is None else with_answers(grad, answer)
    return grad


@wrong("6.7", says="every answer but None")
def an_empty_tuple_is_no_answer(self, grad):
    for hook in [*self.on_grad.values(), *self.retaining.values()]:
        grad = replaced(grad, hook(as_seen(grad)))
    for hook in list(self.before_backward.values()):
        if answer := hook(of_results(grad)):
            grad = with_answers(grad, answer)
    return grad


@wrong("6.7", says="with recording on if the pass is recorded")
def hooks_are_called_with_recording_off(self, grad):
    from tinytorch.grad_mode import no_grad

    for hook in [*self.on_grad.values(), *self.retaining.values()]:
        with no_grad():
            answer = hook(as_seen(grad))
        grad = replaced(grad, answer)
    for hook in list(self.before_backward.values()):
        with no_grad():
            answer = hook(of_results(grad))
        grad = grad if answer is None else with_answers(grad, answer)
    return grad


@wrong("6.5", says="as by pop(0) or insert")
def keeps_them_in_order_by_insort(nodes):
    from bisect import insort

    found, order, stack = set(), [], list(nodes)
    while stack:
        node = stack.pop()
        if node not in found:
            found.add(node)
            insort(order, node, key=lambda each: each.number)
            stack.extend(edge for edge in node.edges if edge is not None)
    return order


@wrong("6.4", says="heappop finds the youngest")
def a_sorted_waiting_room(seeds, retain_graph=False, turn=take_turn):
    from bisect import insort

    def number(node):
        return node.number

    grads, waiting = dict(seeds), sorted(seeds, key=number)
    while waiting:
        node = waiting.pop()
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None and result is not None:
                if edge in grads:
                    grads[edge] = grads[edge] + result
                else:
                    grads[edge] = result
                    insort(waiting, edge, key=number)
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.4", says="an empty list, which isn't None")
def an_empty_answer_ends_it(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node))
        if not results:
            continue
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.2", "node.AccumulateGrad.backward", says="whose .data was replaced")
def not_where_data_was_replaced(self, grad):
    tensor = self.reference()
    if tensor is not None and tensor._node is not None and tensor._data is self.array:
        add_to_grad(tensor, grad)
    return ()


@wrong("6.1", says="whose edges are x's node and None")
def nobody_asked_is_told_by_what_was_saved(self, grad):
    saved = self.saved_for(grad)
    pairs = zip(self.edges, self.rule.formulas, strict=True)
    if any(item is None for item in saved):
        return [formula(grad, *saved) for _, formula in pairs]
    return [None if edge is None else formula(grad, *saved) for edge, formula in pairs]


@wrong("6.1", says="a formula gets the gradient first")
def what_was_saved_goes_in_first(self, grad):
    saved, pairs = self.saved_for(grad), zip(self.edges, self.rule.formulas, strict=True)
    return [None if edge is None else formula(*saved, grad) for edge, formula in pairs]


@wrong("6.2", "node.add_to_grad", says="its history stays as it was")
def adds_with_the_tensors_own_method(tensor, grad):
    old = tensor._grad
    if old is None:
        tensor._grad = own(grad)
    elif type(grad) is Tensor:
        tensor._grad = old + grad
    else:
        old.add_(wrap(np.asarray(grad)))


@wrong("6.2", "node.AccumulateGrad.backward", says="a leaf may be 0")
def asks_whether_the_leaf_is_true(self, grad):
    tensor = self.reference()
    try:
        gone = not tensor
    except RuntimeError:
        gone = False
    if not gone and tensor._node is not None:
        add_to_grad(tensor, grad)
    return ()


@wrong("6.4", says="seeds is the caller's")
def seeds_are_borrowed_and_put_back(seeds, retain_graph=False, turn=take_turn):
    before, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node, seeds.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None and result is not None:
                deliver(result, edge, seeds, heap)
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None
    seeds.update(before)


@wrong("6.7", says="only None is no answer")
def only_tuples_are_answers(self, grad):
    for hook in [*self.on_grad.values(), *self.retaining.values()]:
        grad = replaced(grad, hook(as_seen(grad)))
    for hook in list(self.before_backward.values()):
        answer = hook(of_results(grad))
        grad = with_answers(grad, answer) if isinstance(answer, tuple) else grad
    return grad


@wrong("6.1", says="the node stays as it is")
def puts_the_tensors_into_the_node(self, grad):
    self.saved = self.saved_for(grad)
    pairs = zip(self.edges, self.rule.formulas, strict=True)
    return [None if edge is None else formula(grad, *self.saved) for edge, formula in pairs]


@wrong("6.1", says="0 goes through the formula")
def zero_is_sent_on_as_it_is(self, grad):
    saved = self.saved_for(grad)
    if isinstance(grad, np.ndarray) and not grad.any():
        return [None if edge is None else grad for edge in self.edges]
    pairs = zip(self.edges, self.rule.formulas, strict=True)
    return [None if edge is None else formula(grad, *saved) for edge, formula in pairs]


@wrong("6.1", says="a formula that fails, raising TypeError: how many formulas were called")
def asks_a_formula_again_without_what_was_saved(self, grad):
    saved, results = self.saved_for(grad), []
    for edge, formula in zip(self.edges, self.rule.formulas, strict=True):
        try:
            results.append(None if edge is None else formula(grad, *saved))
        except TypeError:
            results.append(formula(grad))
    return results


@wrong("6.1", says=("a formula that fails", "raised no error"))
def a_formula_that_fails_gives_none(self, grad):
    saved, results = self.saved_for(grad), []
    for edge, formula in zip(self.edges, self.rule.formulas, strict=True):
        try:
            results.append(None if edge is None else formula(grad, *saved))
        except ArithmeticError:
            results.append(None)
    return results


@wrong("6.1", says="a node with two results")
def several_results_ask_every_formula(self, grad):
    saved = self.saved_for(grad)
    pairs = zip(self.edges, self.rule.formulas, strict=True)
    if isinstance(grad, dict):
        return [formula(grad, *saved) for _, formula in pairs]
    return [None if edge is None else formula(grad, *saved) for edge, formula in pairs]


@wrong("6.1", says="float64 has 15 digits")
def sends_seven_digits(self, grad):
    def short(number):
        is_array = isinstance(number, np.ndarray)
        return number.astype(np.float32).astype(number.dtype) if is_array else number

    saved = self.saved_for(grad)
    pairs = zip(self.edges, self.rule.formulas, strict=True)
    return [None if edge is None else short(formula(grad, *saved)) for edge, formula in pairs]


@wrong("6.2", "node.AccumulateGrad.backward", says=("raising AttributeError", "raised no error"))
def whatever_is_missing_nobody_is_there(self, grad):
    try:
        tensor = self.reference()
        if tensor._node is not None:
            add_to_grad(tensor, grad)
    except AttributeError:
        pass
    return ()


@wrong("6.2", "node.add_to_grad", says="let it out")
def what_does_not_fit_is_dropped(tensor, grad):
    old = tensor._grad
    if old is None:
        tensor._grad = own(grad)
    elif type(grad) is Tensor:
        tensor._grad = old + grad
    else:
        total = old._data + grad
        if total.shape == old._data.shape:
            old._data[...] = total
        memory.touch(old._data)


@wrong("6.2", "node.add_to_grad", says=("where shapes don't fit", "gave ()"))
def a_new_array_where_adding_fails(tensor, grad):
    old = tensor._grad
    if old is None:
        tensor._grad = own(grad)
    elif type(grad) is Tensor:
        tensor._grad = old + grad
    else:
        try:
            np.add(old._data, grad, out=old._data)
            memory.touch(old._data)
        except (TypeError, ValueError):
            tensor._grad = wrap(np.array(grad))


@wrong("6.2", "node.add_to_grad", says="float64 has 15 digits")
def adds_with_seven_digits(tensor, grad):
    old = tensor._grad
    if old is None:
        tensor._grad = own(grad)
    elif type(grad) is Tensor:
        tensor._grad = old + grad
    else:
        old._data[...] = np.asarray(old._data + grad, np.float32)
        memory.touch(old._data)


@wrong("6.3", says=("a gradient that can't be added", "raised no error"))
def whatever_fails_it_is_the_first(result, edge, grads, heap):
    try:
        grads[edge] = grads[edge] + result
    except Exception:
        grads[edge] = result
        heappush(heap, (-edge.number, edge))


@wrong("6.3", says="float64 has 15 digits")
def a_sum_of_seven_digits(result, edge, grads, heap):
    import numpy as np

    if edge in grads:
        total = grads[edge] + result
        is_array = isinstance(total, np.ndarray)
        grads[edge] = total.astype(np.float32).astype(total.dtype) if is_array else total
    else:
        grads[edge] = result
        heappush(heap, (-edge.number, edge))


@wrong("6.3", says="ndarray and float")
def numbers_without_a_shape_are_left_out(result, edge, grads, heap):
    if edge in grads:
        if getattr(grads[edge], "shape", 0) == getattr(result, "shape", 0):
            grads[edge] = grads[edge] + result
    else:
        grads[edge] = result
        heappush(heap, (-edge.number, edge))


@wrong("6.4", says="whoever waits is on it once")
def some_seeds_are_put_on_twice(seeds, retain_graph=False, turn=take_turn):
    grads, heap, youngest = {}, [], max((node.number for node in seeds), default=0)
    for node, grad in seeds.items():
        deliver(grad, node, grads, heap)
        if node.number < youngest:
            heappush(heap, (-node.number, node))
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.4", says=("after one whose second turn failed", "no global, no default argument"))
def gradients_in_a_default_argument(seeds, retain_graph=False, turn=take_turn, grads={}):  # noqa: B006
    grads.update(seeds)
    heap = [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.4", says=("a turn of which runs another graph", "no global, no default argument"))
def one_heap_emptied_for_each_pass(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), vars(run).setdefault("heap", [])
    heap[:] = [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.4", says="any answer is taken for yes or no")
def keeps_it_only_for_true(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        if retain_graph is not True and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.4", says="any answer is taken for yes or no")
def lets_go_only_for_false(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        if retain_graph is False and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.4", says="whoever was freed says so itself")
def passes_over_who_was_freed(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None and result is not None and not edge.freed:
                deliver(result, edge, grads, heap)
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.4", says="a node with hooks lets go")
def a_node_with_hooks_keeps_its_edges(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        if not retain_graph and node.rule.saves_arrays:
            node.saved = None
            if node.hooks is None:
                node.edges = ()


@wrong("6.4", says="something is copied for each node")
def looks_at_the_heap_in_a_copy(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = tuple(heap)[0][1]
        heappop(heap)
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.5", says="nodes stays as it is")
def a_dict_of_nodes_is_taken_for_found(nodes):
    found, stack = nodes if isinstance(nodes, dict) else dict.fromkeys(nodes), list(nodes)
    while stack:
        for edge in stack.pop().edges:
            if edge is not None and edge not in found:
                found[edge] = None
                stack.append(edge)
    return sorted(found, key=lambda node: node.number)


@wrong("6.5", says="nodes may be any collection")
def copies_by_a_slice(nodes):
    found, stack = set(nodes), nodes[:]
    while stack:
        for edge in stack.pop().edges:
            if edge is not None and edge not in found:
                found.add(edge)
                stack.append(edge)
    return sorted(found, key=lambda node: node.number)


@wrong("6.5", says="keep nothing from one call to the next")
def remembers_who_leads_where(nodes):
    from weakref import WeakKeyDictionary

    known = vars(reachable).setdefault("known", WeakKeyDictionary())
    found, stack = set(nodes), list(nodes)
    while stack:
        node = stack.pop()
        for edge in known.setdefault(node, node.edges):
            if edge is not None and edge not in found:
                found.add(edge)
                stack.append(edge)
    return sorted(found, key=lambda node: node.number)


@wrong("6.5", says="something is copied for each node")
def a_new_set_for_each_level(nodes):
    found, level = frozenset(nodes), set(nodes)
    while level:
        level = {edge for node in level for edge in node.edges if edge not in found} - {None}
        found = found.union(level)
    return sorted(found, key=lambda node: node.number)


@wrong("6.5", says="turned round")
def takes_from_either_end_by_turns(nodes):
    found, stack = set(nodes), list(nodes)
    while stack:
        stack.reverse()
        for edge in stack.pop().edges:
            if edge is not None and edge not in found:
                found.add(edge)
                stack.append(edge)
    return sorted(found, key=lambda node: node.number)


@wrong("6.6", "counting.count_uses", says="something is copied for each node")
def asks_a_list_of_all_for_the_next(root):
    uses = dict.fromkeys(reachable([root]), 0)
    for place in range(len(uses)):
        for edge in list(uses)[place].edges:
            if edge is not None:
                uses[edge] += 1
    return uses


@wrong("6.6", "counting.run_by_counting", says="something is copied for each node")
def asks_a_tuple_of_those_who_are_ready(root, seed, turn=take_turn):
    uses, grads, ready = count_uses(root), {root: seed}, [root]
    while ready:
        node = tuple(ready)[-1]
        ready.pop()
        results = turn(node, grads.pop(node)) if node in grads else [None] * len(node.edges)
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None:
                add(result, edge, grads)
                uses[edge] -= 1
                if uses[edge] == 0:
                    ready.append(edge)


@wrong("6.6", "counting.run_by_counting", says="the seed stays as it came")
def makes_an_array_of_the_seed(root, seed, turn=take_turn):
    import numpy as np

    uses, grads, ready = count_uses(root), {root: np.asarray(seed)}, [root]
    while ready:
        node = ready.pop()
        results = turn(node, grads.pop(node)) if node in grads else [None] * len(node.edges)
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None:
                add(result, edge, grads)
                uses[edge] -= 1
                if uses[edge] == 0:
                    ready.append(edge)


@wrong("6.6", "counting.run_by_counting", says="no global, no default argument")
def gradients_kept_on_the_function(root, seed, turn=take_turn):
    uses, grads, ready = count_uses(root), vars(run_by_counting).setdefault("grads", {}), [root]
    grads[root] = seed
    while ready:
        node = ready.pop()
        results = turn(node, grads.pop(node)) if node in grads else [None] * len(node.edges)
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None:
                add(result, edge, grads)
                uses[edge] -= 1
                if uses[edge] == 0:
                    ready.append(edge)


@wrong("6.6", "counting.run_by_counting", says=("runs another graph", "no global, no default"))
def those_who_are_ready_emptied_for_each_pass(root, seed, turn=take_turn):
    uses, grads = count_uses(root), {root: seed}
    ready = vars(run_by_counting).setdefault("ready", [])
    ready[:] = [root]
    while ready:
        node = ready.pop()
        results = turn(node, grads.pop(node)) if node in grads else [None] * len(node.edges)
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None:
                add(result, edge, grads)
                uses[edge] -= 1
                if uses[edge] == 0:
                    ready.append(edge)


@wrong("6.7", says="an error in a call before is over")
def is_busy_for_ever_after_an_error(self, grad):
    busy = vars(Hooks.before).setdefault("busy", [])
    if busy:
        return grad
    busy.append(self)
    for hook in [*self.on_grad.values(), *self.retaining.values()]:
        grad = replaced(grad, hook(as_seen(grad)))
    for hook in list(self.before_backward.values()):
        answer = hook(of_results(grad))
        grad = grad if answer is None else with_answers(grad, answer)
    busy.clear()
    return grad


@wrong("6.7", says="whose hooks are called as well")
def calls_no_hook_inside_a_hook(self, grad):
    busy = vars(Hooks.before).setdefault("busy", [])
    if busy:
        return grad
    busy.append(self)
    try:
        for hook in [*self.on_grad.values(), *self.retaining.values()]:
            grad = replaced(grad, hook(as_seen(grad)))
        for hook in list(self.before_backward.values()):
            answer = hook(of_results(grad))
            grad = grad if answer is None else with_answers(grad, answer)
    finally:
        busy.clear()
    return grad


@wrong("6.7", says=("raising KeyError", "raised no error"))
def a_key_error_is_a_hook_that_has_gone(self, grad):
    hooks = {**self.on_grad, **self.retaining}
    for key in hooks:
        try:
            grad = replaced(grad, hooks[key](as_seen(grad)))
        except KeyError:
            continue
    for hook in list(self.before_backward.values()):
        answer = hook(of_results(grad))
        grad = grad if answer is None else with_answers(grad, answer)
    return grad


@wrong("6.7", says=("returns False", "every answer but None"))
def false_is_no_answer(self, grad):
    for hook in [*self.on_grad.values(), *self.retaining.values()]:
        answer = hook(as_seen(grad))
        if answer is not None and answer is not False:
            grad = replaced(grad, answer)
    for hook in list(self.before_backward.values()):
        answer = hook(of_results(grad))
        grad = grad if answer is None else with_answers(grad, answer)
    return grad


@wrong("6.7", says="whose it is doesn't hang on how many are left")
def counts_whose_turn_it_is(self, grad):
    hooks = [*self.on_grad.values(), *self.retaining.values(), *self.before_backward.values()]
    for place, hook in enumerate(hooks):
        if place < len(self.on_grad) + len(self.retaining):
            grad = replaced(grad, hook(as_seen(grad)))
        else:
            answer = hook(of_results(grad))
            grad = grad if answer is None else with_answers(grad, answer)
    return grad


@wrong("6.1", says="return the list")
def gives_back_nothing(self, grad):
    saved = self.saved_for(grad)
    results = [
        None if e is None else f(grad, *saved)
        for e, f in zip(self.edges, self.rule.formulas, strict=False)
    ]


@wrong("6.1", says="self.saved_for(grad)")
def asks_for_what_was_saved_without_grad(self, grad):
    saved = self.saved_for()
    return [
        None if e is None else f(grad, *saved)
        for e, f in zip(self.edges, self.rule.formulas, strict=False)
    ]


@wrong("6.1", says="self.rule.formulas")
def takes_formulas_from_the_node(self, grad):
    saved = self.saved_for(grad)
    return [
        None if e is None else f(grad, *saved)
        for e, f in zip(self.edges, self.formulas, strict=False)
    ]


@wrong("6.1", says="it's formulas that are called")
def calls_the_edges(self, grad):
    saved = self.saved_for(grad)
    return [
        None if e is None else f(grad, *saved)
        for f, e in zip(self.edges, self.rule.formulas, strict=False)
    ]


@wrong("6.1", says="a 0 would be sent on")
def zeros_in_place_of_none(self, grad):
    saved = self.saved_for(grad)
    return [
        np.zeros_like(grad) if e is None else f(grad, *saved)
        for e, f in zip(self.edges, self.rule.formulas, strict=False)
    ]


@wrong("6.1", says="use self.edges")
def pairs_in_place_of_edges(self, grad):
    saved = self.saved_for(grad)
    return [
        None if e is None else f(grad, *saved)
        for e, f in zip(self.next_functions, self.rule.formulas, strict=False)
    ]


@wrong("6.1", says="backward calls no other node")
def sends_on_at_once(self, grad):
    saved = self.saved_for(grad)
    out = [
        None if e is None else f(grad, *saved)
        for e, f in zip(self.edges, self.rule.formulas, strict=False)
    ]
    for e, g in zip(self.edges, out, strict=False):
        if e is not None:
            e.backward(g)
    return out


@wrong("6.1", says="then return them")
def returns_in_the_loop(self, grad):
    saved = self.saved_for(grad)
    results = []
    for e, f in zip(self.edges, self.rule.formulas, strict=False):
        results.append(None if e is None else f(grad, *saved))
        return results


@wrong("6.1", says="only a Tensor's gradients are Tensors")
def takes_a_number_for_a_tensor(self, grad):
    saved = self.saved_for(grad)
    if not isinstance(grad, np.ndarray):
        saved = self.saved_as_tensors()
    return [
        None if e is None else f(grad, *saved)
        for e, f in zip(self.edges, self.rule.formulas, strict=False)
    ]


@wrong("6.1", says="what it finds otherwise")
def makes_errors_of_infinities(self, grad):
    saved = self.saved_for(grad)
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        return [
            None if e is None else f(grad, *saved)
            for e, f in zip(self.edges, self.rule.formulas, strict=False)
        ]


@wrong("6.1", says="what it finds otherwise")
def makes_errors_of_warnings(self, grad):
    import warnings

    saved = self.saved_for(grad)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return [
            None if e is None else f(grad, *saved)
            for e, f in zip(self.edges, self.rule.formulas, strict=False)
        ]


@wrong("6.2", "node.AccumulateGrad.backward", says="mind the ()")
def takes_the_reference_for_the_leaf(self, grad):
    tensor = self.reference
    if tensor is not None and tensor._node is not None:
        add_to_grad(tensor, grad)
    return ()


@wrong("6.2", "node.AccumulateGrad.backward", says="add_to_grad gets the leaf")
def adds_to_the_node(self, grad):
    tensor = self.reference()
    if tensor is not None and tensor._node is not None:
        add_to_grad(self, grad)
    return ()


@wrong("6.2", "node.AccumulateGrad.backward", says="ask whether it is None")
def asks_the_truth_of_the_leaf(self, grad):
    tensor = self.reference()
    if tensor and tensor._node:
        add_to_grad(tensor, grad)
    return ()


@wrong("6.2", "node.add_to_grad", says="ask whether it is None")
def asks_whether_the_old_is_true(tensor, grad):
    old = tensor._grad
    if not old:
        tensor._grad = own(grad)
    elif type(grad) is Tensor:
        tensor._grad = old + grad
    else:
        np.add(old._data, grad, out=old._data)
        memory.touch(old._data)


@wrong("6.2", "node.add_to_grad", says="and nothing added")
def adds_the_first_twice(tensor, grad):
    old = tensor._grad
    if old is None:
        tensor._grad = own(grad)
    if type(grad) is Tensor:
        tensor._grad = old + grad
    else:
        np.add(old._data, grad, out=old._data)
        memory.touch(old._data)


@wrong("6.2", "node.add_to_grad", says="memory.touch(old._data)")
def touches_the_tensor(tensor, grad):
    old = tensor._grad
    if old is None:
        tensor._grad = own(grad)
    elif type(grad) is Tensor:
        tensor._grad = old + grad
    else:
        np.add(old._data, grad, out=old._data)
        memory.touch(old)


@wrong("6.2", "node.add_to_grad", says="and nothing added")
def asks_for_tensors_first(tensor, grad):
    old = tensor._grad
    if type(grad) is Tensor:
        tensor._grad = old + grad
    elif old is None:
        tensor._grad = own(grad)
    else:
        np.add(old._data, grad, out=old._data)
        memory.touch(old._data)


@wrong("6.2", "node.add_to_grad", says="out= wants the array")
def adds_into_a_tensor(tensor, grad):
    old = tensor._grad
    if old is None:
        tensor._grad = own(grad)
    elif type(grad) is Tensor:
        tensor._grad = old + grad
    else:
        np.add(old, grad, out=old)
        memory.touch(old._data)


@wrong("6.2", "node.add_to_grad", says="goes into tensor._grad")
def keeps_nothing(tensor, grad):
    old = tensor._grad
    if old is None:
        own(grad)
    elif type(grad) is Tensor:
        tensor._grad = old + grad
    else:
        np.add(old._data, grad, out=old._data)
        memory.touch(old._data)


@wrong("6.2", "node.add_to_grad", says="makes a Tensor of the array")
def keeps_the_bare_array(tensor, grad):
    old = tensor._grad
    if old is None:
        tensor._grad = grad
    elif type(grad) is Tensor:
        tensor._grad = old + grad
    else:
        np.add(old._data, grad, out=old._data)
        memory.touch(old._data)


@wrong("6.2", "node.add_to_grad", says="nothing to slice")
def slices_a_number(tensor, grad):
    old = tensor._grad
    if old is None:
        tensor._grad = own(grad)
    elif type(grad) is Tensor:
        tensor._grad = old + grad
    else:
        old._data[:] += grad
        memory.touch(old._data)


@wrong("6.3", says="ask `edge in grads` first")
def looks_at_the_entry_first(result, edge, grads, heap):
    if grads[edge]:
        grads[edge] = grads[edge] + result
    else:
        grads[edge] = result
        heappush(heap, (-edge.number, edge))


@wrong("6.3", says="and no list")
def collects_a_list(result, edge, grads, heap):
    if edge in grads:
        grads[edge].append(result)
    else:
        grads[edge] = [result]
        heappush(heap, (-edge.number, edge))


@wrong("6.3", says="the key is the node itself")
def goes_by_number(result, edge, grads, heap):
    if edge.number in grads:
        grads[edge.number] = grads[edge.number] + result
    else:
        grads[edge.number] = result
        heappush(heap, (-edge.number, edge))


@wrong("6.3", says="copied or changed yet")
def makes_an_array_of_a_number(result, edge, grads, heap):
    import numpy as np

    if edge in grads:
        grads[edge] = grads[edge] + result
    else:
        grads[edge] = np.asarray(result) if isinstance(result, np.generic) else result
        heappush(heap, (-edge.number, edge))


@wrong("6.3", says="ask grads, a dict, who waits")
def looks_where_it_stands(result, edge, grads, heap):
    if edge in grads:
        grads[edge] = grads[edge] + result
        return
    grads[edge] = result
    heappush(heap, (-edge.number, edge))
    heap.index((-edge.number, edge))


@wrong("6.4", says="the node is [1] of it")
def takes_the_pair_for_the_node(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=False):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.4", says="what the seeds say")
def begins_without_the_seeds(seeds, retain_graph=False, turn=take_turn):
    grads, heap = {}, [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=False):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.4", says="the node comes first")
def gives_turn_the_gradient_first(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(grads.pop(node), node)
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=False):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.4", says="the result comes first")
def delivers_the_edge_first(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=False):
            if edge is not None and result is not None:
                deliver(edge, result, grads, heap)
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.4", says="a node got all of the results")
def delivers_all_to_each(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for edge in node.edges:
            if edge is not None:
                deliver(results, edge, grads, heap)
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.4", says="goes to the edges by deliver")
def delivers_nothing(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.4", says="while heap")
def counts_who_waits_at_first(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    for _ in range(len(heap)):
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=False):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.4", says="it was passed")
def never_retains(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=False):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        if node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.4", says="the other way round")
def frees_what_has_no_arrays(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=False):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        if not retain_graph and not node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.4", says="without it isn't")
def frees_what_should_be_retained(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=False):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        if retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.4", says="also meanwhile")
def puts_the_seeds_back(seeds, retain_graph=False, turn=take_turn):
    before = dict(seeds)
    grads, heap = seeds, [(-node.number, node) for node in seeds]
    heapify(heap)
    try:
        while heap:
            node = heappop(heap)[1]
            results = turn(node, grads.pop(node))
            if results is None:
                continue
            for edge, result in zip(node.edges, results, strict=False):
                if edge is not None and result is not None:
                    deliver(result, edge, grads, heap)
            if not retain_graph and node.rule.saves_arrays:
                node.edges, node.saved = (), None
    finally:
        seeds.clear()
        seeds.update(before)


@wrong("6.4", says="without names")
def names_what_turn_gets(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node=node, grad=grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=False):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.4", says="next_functions leaves out")
def goes_along_next_functions(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for (edge, _), result in zip(node.next_functions, results, strict=False):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.5", says="sort them by number")
def sorts_without_a_key(nodes):
    found, stack = set(nodes), list(nodes)
    while stack:
        for edge in stack.pop().edges:
            if edge is not None and edge not in found:
                found.add(edge)
                stack.append(edge)
    return sorted(found)


@wrong("6.5", says="as long as anybody is left")
def removes_while_it_walks(nodes):
    found, stack = set(nodes), list(nodes)
    for node in stack:
        stack.remove(node)
        for edge in node.edges:
            if edge is not None and edge not in found:
                found.add(edge)
                stack.append(edge)
    return sorted(found, key=lambda node: node.number)


@wrong("6.5", says="next_functions holds pairs")
def asks_pairs_for_more(nodes):
    found, stack = set(nodes), list(nodes)
    while stack:
        for edge in stack.pop().next_functions:
            if edge is not None and edge not in found:
                found.add(edge)
                stack.append(edge)
    return sorted(found, key=lambda node: node.number)


@wrong("6.5", says="mustn't grow")
def lets_the_set_grow(nodes):
    found = set(nodes)
    for node in found:
        for edge in node.edges:
            if edge is not None:
                found.add(edge)
    return sorted(found, key=lambda node: node.number)


@wrong("6.5", says="a lies behind c")
def finds_the_neighbours(nodes):
    found, stack = set(nodes), list(nodes)
    while stack:
        for edge in stack.pop().edges:
            if edge is not None and edge not in found:
                found.add(edge)
    return sorted(found, key=lambda node: node.number)


@wrong("6.6", "counting.run_by_counting", says="leads nowhere")
def looks_none_up(root, seed, turn=take_turn):
    uses, grads, ready = count_uses(root), {root: seed}, [root]
    while ready:
        node = ready.pop()
        results = turn(node, grads.pop(node)) if node in grads else [None] * len(node.edges)
        for edge, result in zip(node.edges, results, strict=False):
            if edge is not None or result is None:
                add(result, edge, grads)
                uses[edge] -= 1
                if uses[edge] == 0:
                    ready.append(edge)


@wrong("6.6", "counting.run_by_counting", says="leads nowhere")
def adds_and_counts_for_nobody(root, seed, turn=take_turn):
    uses, grads, ready = count_uses(root), {root: seed}, [root]
    while ready:
        node = ready.pop()
        results = turn(node, grads.pop(node)) if node in grads else [None] * len(node.edges)
        for edge, result in zip(node.edges, results, strict=False):
            if edge is None and result is None:
                continue
            add(result, edge, grads)
            uses[edge] -= 1
            if uses[edge] == 0:
                ready.append(edge)


@wrong("6.6", "counting.count_uses", says="one too high")
def counts_from_one(root):
    uses = {root: 0}
    for node in reachable([root]):
        for edge in node.edges:
            if edge is not None:
                uses[edge] = uses[edge] + 1 if edge in uses else 2
    return uses


@wrong("6.6", "counting.run_by_counting", says="and then look whether it's 0")
def looks_before_it_counts(root, seed, turn=take_turn):
    uses, grads, ready = count_uses(root), {root: seed}, [root]
    while ready:
        node = ready.pop()
        results = turn(node, grads.pop(node)) if node in grads else [None] * len(node.edges)
        for edge, result in zip(node.edges, results, strict=False):
            if edge is not None:
                add(result, edge, grads)
                if uses[edge] == 0:
                    ready.append(edge)
                uses[edge] -= 1


@wrong("6.6", "counting.run_by_counting", says="ask a count when it has changed")
def asks_all_counts_at_each_turn(root, seed, turn=take_turn):
    uses, grads, ready = count_uses(root), {root: seed}, [root]
    while any(uses.values()) or ready:
        node = ready.pop()
        results = turn(node, grads.pop(node)) if node in grads else [None] * len(node.edges)
        for edge, result in zip(node.edges, results, strict=False):
            if edge is not None:
                add(result, edge, grads)
                uses[edge] -= 1
                if uses[edge] == 0:
                    ready.append(edge)


@wrong("6.6", "counting.run_by_counting", says="nobody had a turn")
def begins_with_nothing(root, seed, turn=take_turn):
    uses, grads, ready = count_uses(root), {}, [root]
    while ready:
        node = ready.pop()
        results = turn(node, grads.pop(node)) if node in grads else [None] * len(node.edges)
        for edge, result in zip(node.edges, results, strict=False):
            if edge is not None:
                add(result, edge, grads)
                uses[edge] -= 1
                if uses[edge] == 0:
                    ready.append(edge)


@wrong("6.6", "counting.run_by_counting", says="that's the seed")
def gives_everybody_the_seed(root, seed, turn=take_turn):
    uses, grads, ready = count_uses(root), {root: seed}, [root]
    while ready:
        node = ready.pop()
        results = turn(node, seed)
        for edge, result in zip(node.edges, results, strict=False):
            if edge is not None:
                add(result, edge, grads)
                uses[edge] -= 1
                if uses[edge] == 0:
                    ready.append(edge)


@wrong("6.6", "counting.run_by_counting", says="the result comes first")
def adds_the_edge_first(root, seed, turn=take_turn):
    uses, grads, ready = count_uses(root), {root: seed}, [root]
    while ready:
        node = ready.pop()
        results = turn(node, grads.pop(node)) if node in grads else [None] * len(node.edges)
        for edge, result in zip(node.edges, results, strict=False):
            if edge is not None:
                add(edge, result, grads)
                uses[edge] -= 1
                if uses[edge] == 0:
                    ready.append(edge)


@wrong("6.6", "counting.count_uses", says="reachable([root])")
def hands_a_node_to_reachable(root):
    uses = dict.fromkeys(reachable(root), 0)
    for node in uses:
        for edge in node.edges:
            if edge is not None:
                uses[edge] += 1
    return uses


@wrong("6.6", "counting.count_uses", says="the second pass brought nothing")
def remembers_the_counts(root, known={}):  # noqa: B006
    if root.number not in known:
        uses = dict.fromkeys(reachable([root]), 0)
        for node in uses:
            for edge in node.edges:
                if edge is not None:
                    uses[edge] += 1
        known[root.number] = uses
    return known[root.number]


@wrong("6.7", says="return grad, after all loops")
def gives_nothing_back(self, grad):
    for hook in [*self.on_grad.values(), *self.retaining.values()]:
        grad = replaced(grad, hook(as_seen(grad)))
    for hook in list(self.before_backward.values()):
        answer = hook(of_results(grad))
        grad = grad if answer is None else with_answers(grad, answer)


@wrong("6.7", says="walk through its values")
def walks_through_keys(self, grad):
    for hook in [*self.on_grad, *self.retaining]:
        grad = replaced(grad, hook(as_seen(grad)))
    for hook in list(self.before_backward.values()):
        answer = hook(of_results(grad))
        grad = grad if answer is None else with_answers(grad, answer)
    return grad


@wrong("6.7", says="items() gives pairs")
def walks_through_items(self, grad):
    for hook in [*self.on_grad.items(), *self.retaining.items()]:
        grad = replaced(grad, hook(as_seen(grad)))
    for hook in list(self.before_backward.items()):
        answer = hook(of_results(grad))
        grad = grad if answer is None else with_answers(grad, answer)
    return grad


@wrong("6.7", says="answers with a tuple")
def wraps_the_answers(self, grad):
    for hook in [*self.on_grad.values(), *self.retaining.values()]:
        grad = replaced(grad, hook(as_seen(grad)))
    for hook in list(self.before_backward.values()):
        answer = hook(of_results(grad))
        grad = grad if answer is None else with_answers(grad, (answer,))
    return grad


@wrong("6.7", says="goes to with_answers")
def replaces_by_a_tuple(self, grad):
    for hook in [*self.on_grad.values(), *self.retaining.values()]:
        grad = replaced(grad, hook(as_seen(grad)))
    for hook in list(self.before_backward.values()):
        answer = hook(of_results(grad))
        grad = grad if answer is None else replaced(grad, answer)
    return grad


@wrong("6.7", says="replaced(grad, answer)")
def replaces_the_answer(self, grad):
    for hook in [*self.on_grad.values(), *self.retaining.values()]:
        grad = replaced(hook(as_seen(grad)), grad)
    for hook in list(self.before_backward.values()):
        answer = hook(of_results(grad))
        grad = grad if answer is None else with_answers(grad, answer)
    return grad


@wrong("6.7", says="with_answers(grad, answer)")
def answers_the_answer(self, grad):
    for hook in [*self.on_grad.values(), *self.retaining.values()]:
        grad = replaced(grad, hook(as_seen(grad)))
    for hook in list(self.before_backward.values()):
        answer = hook(of_results(grad))
        grad = grad if answer is None else with_answers(answer, grad)
    return grad


@wrong("6.7", says="without a name")
def calls_hooks_by_name(self, grad):
    for hook in [*self.on_grad.values(), *self.retaining.values()]:
        grad = replaced(grad, hook(grad=as_seen(grad)))
    for hook in list(self.before_backward.values()):
        answer = hook(of_results(grad))
        grad = grad if answer is None else with_answers(grad, answer)
    return grad


@wrong("6.7", says="answers with a tuple")
def takes_the_tuple_for_the_gradient(self, grad):
    for hook in [*self.on_grad.values(), *self.retaining.values()]:
        grad = replaced(grad, hook(as_seen(grad)))
    for hook in list(self.before_backward.values()):
        grad = hook(of_results(grad)) or grad
    return grad


@wrong("6.2", "node.add_to_grad", says="it was added once more")
def counts_the_first_twice(tensor, grad):
    if tensor._grad is None:
        tensor._grad = own(grad)
    if type(grad) is Tensor:
        tensor._grad = tensor._grad + grad
    else:
        tensor._grad._data += grad
        memory.touch(tensor._grad._data)


@wrong("6.4", says="nobody had a turn")
def puts_no_seed_on_the_heap(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), []
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=False):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.4", says="nobody had a turn")
def does_nothing(seeds, retain_graph=False, turn=take_turn):
    pass


@wrong("6.4", says="it let go before its turn")
def lets_go_before_the_turn(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        edges = node.edges
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(edges, results, strict=False):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)


@wrong("6.4", says="the node is [1] of it")
def takes_the_number_for_the_node(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node, _ = heappop(heap)
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=False):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.4", says="what came for it is in grads")
def looks_the_gradient_up_in_seeds(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node, seeds[node])
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=False):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.4", says="came off the heap again")
def puts_a_node_on_the_heap_again(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=False):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
                heappush(heap, (-edge.number, edge))
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.4", says="not inside it")
def lets_go_inside_the_for(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=False):
            if edge is not None and result is not None:
                deliver(result, edge, grads, heap)
            if not retain_graph and node.rule.saves_arrays:
                node.edges, node.saved = (), None


@wrong("6.4", says="only None is none")
def delivers_arrays_alone(seeds, retain_graph=False, turn=take_turn):
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        for edge, result in zip(node.edges, results, strict=False):
            if edge is not None and type(result).__name__ == "ndarray":
                deliver(result, edge, grads, heap)
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.6", "counting.run_by_counting", says="is added as well")
def loses_the_gradient_that_makes_ready(root, seed, turn=take_turn):
    uses, grads, ready = count_uses(root), {root: seed}, [root]
    while ready:
        node = ready.pop()
        results = turn(node, grads.pop(node)) if node in grads else [None] * len(node.edges)
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None:
                uses[edge] -= 1
                if uses[edge] == 0:
                    ready.append(edge)
                else:
                    add(result, edge, grads)


@wrong("6.6", "counting.run_by_counting", says="a leaf's node has its turn")
def gives_leaves_no_turn(root, seed, turn=take_turn):
    uses, grads, ready = count_uses(root), {root: seed}, [root]
    while ready:
        node = ready.pop()
        if not node.edges:
            continue
        results = turn(node, grads.pop(node)) if node in grads else [None] * len(node.edges)
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None:
                add(result, edge, grads)
                uses[edge] -= 1
                if uses[edge] == 0:
                    ready.append(edge)


@wrong("6.7", says="after() calls them")
def calls_those_after_as_well(self, grad):
    for hook in [*self.on_grad.values(), *self.retaining.values()]:
        grad = replaced(grad, hook(as_seen(grad)))
    for hook in list(self.before_backward.values()):
        answer = hook(of_results(grad))
        grad = grad if answer is None else with_answers(grad, answer)
    for hook in list(self.after_backward.values()):
        hook((), of_results(grad))
    return grad


@wrong("6.7", says="before removes none")
def clears_the_hooks(self, grad):
    for hook in [*self.on_grad.values(), *self.retaining.values()]:
        grad = replaced(grad, hook(as_seen(grad)))
    for hook in list(self.before_backward.values()):
        answer = hook(of_results(grad))
        grad = grad if answer is None else with_answers(grad, answer)
    self.on_grad.clear()
    return grad


@wrong("6.7", says="with_answers is for the node's hooks")
def takes_all_hooks_for_the_nodes(self, grad):
    for hook in [*self.on_grad.values(), *self.retaining.values()]:
        answer = hook(as_seen(grad))
        grad = grad if answer is None else with_answers(grad, answer)
    for hook in list(self.before_backward.values()):
        answer = hook(of_results(grad))
        grad = grad if answer is None else with_answers(grad, answer)
    return grad


@wrong("6.1", says="grad came in twice")
def multiplies_by_grad_again(self, grad):
    saved = self.saved_for(grad)
    return [
        None if edge is None else grad * formula(grad, *saved)
        for edge, formula in zip(self.edges, self.rule.formulas, strict=True)
    ]


@wrong("6.1", says="how much was saved depends on the rule")
def knows_products_alone(self, grad):
    x, y = self.saved_for(grad)
    return [
        None if edge is None else formula(grad, x, y)
        for edge, formula in zip(self.edges, self.rule.formulas, strict=True)
    ]


@wrong("6.3", says="numpy isn't needed")
def adds_by_numpy(result, edge, grads, heap):
    if edge in grads:
        grads[edge] = np.add(grads[edge], result)
    else:
        grads[edge] = result
        heappush(heap, (-edge.number, edge))


@wrong("6.2", "node.add_to_grad", says="own(grad) keeps what it is")
def makes_a_tensor_of_its_own(tensor, grad):
    old = tensor._grad
    if old is None:
        tensor._grad = Tensor(grad)
    elif type(grad) is Tensor:
        tensor._grad = old + grad
    else:
        np.add(old._data, grad, out=old._data)
        memory.touch(old._data)


@wrong("6.4", says="so is a sum: nothing switches recording off")
def delivers_without_recording(seeds, retain_graph=False, turn=take_turn):
    from tinytorch.grad_mode import no_grad

    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        node = heappop(heap)[1]
        results = turn(node, grads.pop(node))
        if results is None:
            continue
        with no_grad():
            for edge, result in zip(node.edges, results, strict=False):
                if edge is not None and result is not None:
                    deliver(result, edge, grads, heap)
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


@wrong("6.3", says="a first gradient stays as it came, whatever it is")
def copies_a_first_tensor(result, edge, grads, heap):
    if edge in grads:
        grads[edge] = grads[edge] + result
    else:
        grads[edge] = result.clone() if hasattr(result, "grad_fn") else result
        heappush(heap, (-edge.number, edge))


@wrong("6.3", says="a first gradient stays as it came, whatever it is")
def copies_a_first_single_number(result, edge, grads, heap):
    if edge in grads:
        grads[edge] = grads[edge] + result
    else:
        is_single = type(result).__name__ == "ndarray" and result.ndim == 0
        grads[edge] = result.copy() if is_single else result
        heappush(heap, (-edge.number, edge))


@wrong("6.3", says="a first gradient stays as it came, whatever it is")
def copies_a_first_view(result, edge, grads, heap):
    if edge in grads:
        grads[edge] = grads[edge] + result
    else:
        is_view = getattr(result, "base", None) is not None
        grads[edge] = result.copy() if is_view else result
        heappush(heap, (-edge.number, edge))


@wrong("6.5", says="no call inside a call")
def raises_the_limit_and_calls_itself(nodes):
    import sys

    sys.setrecursionlimit(10**6)
    found = set()

    def visit(node):
        if node is not None and node not in found:
            found.add(node)
            for edge in node.edges:
                visit(edge)

    for node in nodes:
        visit(node)
    return sorted(found, key=lambda node: node.number)


@wrong("6.5", says="those that it starts from are found from the start")
def finds_again_where_it_began(nodes):
    result, stack, seen = list(nodes), list(nodes), set()
    while stack:
        for edge in stack.pop().edges:
            if edge is not None and edge not in seen:
                seen.add(edge)
                result.append(edge)
                stack.append(edge)
    return sorted(result, key=lambda node: node.number)


@wrong("6.2", "node.AccumulateGrad.backward", says="self.variable makes a tensor in place")
def takes_a_stand_in_for_the_leaf(self, grad):
    tensor = self.variable
    if tensor._node is not None:
        add_to_grad(tensor, grad)
    return ()


@wrong("6.2", "node.AccumulateGrad.backward", says="there's nobody to tell")
def copies_before_it_asks(self, grad):
    tensor, kept = self.reference(), own(grad)
    if tensor is None or tensor._node is None:
        return ()
    if tensor._grad is None:
        tensor._grad = kept
    else:
        add_to_grad(tensor, grad)
    return ()


@wrong("6.6", "counting.run_by_counting", says="birth plays no part in counting")
def sorts_who_is_ready_at_each_turn(root, seed, turn=take_turn):
    uses, grads, ready = count_uses(root), {root: seed}, [root]
    while ready:
        ready.sort(key=lambda node: node.number)
        node = ready.pop()
        results = turn(node, grads.pop(node)) if node in grads else [None] * len(node.edges)
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None:
                add(result, edge, grads)
                uses[edge] -= 1
                if uses[edge] == 0:
                    ready.append(edge)


@wrong("6.6", "counting.run_by_counting", says="birth plays no part in counting")
def looks_for_the_youngest_of_those_ready(root, seed, turn=take_turn):
    uses, grads, ready = count_uses(root), {root: seed}, {root}
    while ready:
        node = max(ready, key=lambda node: node.number)
        ready.remove(node)
        results = turn(node, grads.pop(node)) if node in grads else [None] * len(node.edges)
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None:
                add(result, edge, grads)
                uses[edge] -= 1
                if uses[edge] == 0:
                    ready.add(edge)
