"""Wrong answers to the exercises of chapter 12, each with words that its message must contain."""

from course.misconceptions import wrong


@wrong("12.1", "nn.windows.places", says="one window more than there are steps")
def counts_steps_not_windows(length, kernel, stride, dilation):
    return (length - span_within(length, kernel, dilation)) // stride


@wrong("12.1", "nn.windows.places", says="would stick out at the end")
def rounds_up(length, kernel, stride, dilation):
    return -(-(length - span_within(length, kernel, dilation)) // stride) + 1


@wrong("12.1", "nn.windows.places", says="not only its kernel")
def forgets_dilation(length, kernel, stride, dilation):
    span_within(length, kernel, dilation)
    return (length - kernel) // stride + 1


@wrong("12.1", "nn.windows.places", says="(length - span) // stride + 1")
def adds_one_too_early(length, kernel, stride, dilation):
    return (length - span_within(length, kernel, dilation) + 1) // stride


@wrong("12.1", "nn.windows.places", says="// gives whole numbers")
def divides_into_floats(length, kernel, stride, dilation):
    return (length - span_within(length, kernel, dilation)) / stride + 1


@wrong("12.1", "nn.windows.places", says="expected RuntimeError: span_within")
def none_fits_is_none(length, kernel, stride, dilation):
    span = dilation * (kernel - 1) + 1
    return max((length - span) // stride + 1, 0)


@wrong("12.1", "nn.windows.places", says="further on")
def forgets_stride(length, kernel, stride, dilation):
    return length - span_within(length, kernel, dilation) + 1


@wrong("12.1", "nn.windows.windows_of", says="any axes before its last two")
def windows_of_batches_alone(x, kernel, stride, dilation):
    n, c, height, width = x.shape
    sizes = zip((height, width), kernel, stride, dilation, strict=True)
    down, right = x.strides[-2:]
    steps = (down * dilation[0], right * dilation[1], down * stride[0], right * stride[1])
    shape = (n, c, *kernel, *[places(*size) for size in sizes])
    return as_strided(x, shape, (*x.strides[:2], *steps))


@wrong("12.1", "nn.windows.windows_of", says="the kernel's axes come first")
def windows_before_kernel(x, kernel, stride, dilation):
    sizes = zip(x.shape[-2:], kernel, stride, dilation, strict=True)
    shape = (*x.shape[:-2], *[places(*size) for size in sizes], *kernel)
    down, right = x.strides[-2:]
    steps = (down * stride[0], right * stride[1], down * dilation[0], right * dilation[1])
    return as_strided(x, shape, (*x.strides[:-2], *steps))


@wrong("12.1", "nn.windows.windows_of", says="counts its steps in bytes")
def counts_steps_in_elements(x, kernel, stride, dilation):
    sizes = zip(x.shape[-2:], kernel, stride, dilation, strict=True)
    shape = (*x.shape[:-2], *kernel, *[places(*size) for size in sizes])
    down, right = x.strides[-2] // x.itemsize, 1
    steps = (down * dilation[0], right * dilation[1], down * stride[0], right * stride[1])
    return as_strided(x, shape, (*x.strides[:-2], *steps))


@wrong("12.1", "nn.windows.windows_of", says="stride moves windows, dilation moves within one")
def exchanges_stride_and_dilation(x, kernel, stride, dilation):
    sizes = zip(x.shape[-2:], kernel, stride, dilation, strict=True)
    shape = (*x.shape[:-2], *kernel, *[places(*size) for size in sizes])
    down, right = x.strides[-2:]
    steps = (down * stride[0], right * stride[1], down * dilation[0], right * dilation[1])
    return as_strided(x, shape, (*x.strides[:-2], *steps))


@wrong("12.1", "nn.windows.windows_of", says="a step or a count is too large")
def dilates_the_windows_too(x, kernel, stride, dilation):
    sizes = zip(x.shape[-2:], kernel, stride, dilation, strict=True)
    shape = (*x.shape[:-2], *kernel, *[places(*size) for size in sizes])
    down, right = x.strides[-2] * dilation[0], x.strides[-1] * dilation[1]
    steps = (down, right, down * stride[0], right * stride[1])
    return as_strided(x, shape, (*x.strides[:-2], *steps))


@wrong("12.1", "nn.windows.windows_of", says="leads out of the memory of x: a step or a count")
def steps_a_million_times_too_large(x, kernel, stride, dilation):
    sizes = zip(x.shape[-2:], kernel, stride, dilation, strict=True)
    shape = (*x.shape[:-2], *kernel, *[places(*size) for size in sizes])
    down, right = x.strides[-2:]
    steps = (down * dilation[0], right * dilation[1], down * stride[0], right * stride[1] * 10**6)
    return as_strided(x, shape, (*x.strides[:-2], *steps))


@wrong("12.1", "nn.windows.windows_of", says="one kernel element further right is dilation columns")
def dilates_down_only(x, kernel, stride, dilation):
    sizes = zip(x.shape[-2:], kernel, stride, dilation, strict=True)
    shape = (*x.shape[:-2], *kernel, *[places(*size) for size in sizes])
    down, right = x.strides[-2:]
    steps = (down * dilation[0], right, down * stride[0], right * stride[1])
    return as_strided(x, shape, (*x.strides[:-2], *steps))


@wrong("12.1", "nn.windows.windows_of", says="is a copy")
def copies_the_windows(x, kernel, stride, dilation):
    sizes = zip(x.shape[-2:], kernel, stride, dilation, strict=True)
    shape = (*x.shape[:-2], *kernel, *[places(*size) for size in sizes])
    down, right = x.strides[-2:]
    steps = (down * dilation[0], right * dilation[1], down * stride[0], right * stride[1])
    return as_strided(x, shape, (*x.strides[:-2], *steps)).copy()


@wrong("12.1", "nn.windows.windows_of", says="can't be written to, and 12.2 writes to windows")
def windows_to_read_only(x, kernel, stride, dilation):
    from numpy.lib.stride_tricks import sliding_window_view

    span = [span_within(*size) for size in zip(x.shape[-2:], kernel, dilation, strict=True)]
    seen = sliding_window_view(x, span, axis=(-2, -1))
    seen = seen[..., :: stride[0], :: stride[1], :: dilation[0], :: dilation[1]]
    return seen.swapaxes(-4, -2).swapaxes(-3, -1)


@wrong("12.1", "nn.windows.windows_of", says="the transpose of another")
def believes_in_rows_side_by_side(x, kernel, stride, dilation):
    sizes = zip(x.shape[-2:], kernel, stride, dilation, strict=True)
    shape = (*x.shape[:-2], *kernel, *[places(*size) for size in sizes])
    down, right = x.shape[-1] * x.itemsize, x.itemsize
    steps = (down * dilation[0], right * dilation[1], down * stride[0], right * stride[1])
    return as_strided(x, shape, (*x.strides[:-2], *steps))


@wrong("12.1", "nn.windows.windows_of", says="a step for each axis of the result")
def two_axes_only(x, kernel, stride, dilation):
    shape = (*x.shape[:-2], *kernel, *map(places, x.shape[-2:], kernel, stride, dilation))
    down, right = x.strides[-2:]
    steps = (down * dilation[0], right * dilation[1], down * stride[0], right * stride[1])
    return as_strided(x, shape, steps)


@wrong("12.2", says="so does += on all windows at once")
def adds_all_at_once(x, shape, kernel, stride, dilation):
    whole = zeros(shape, x.dtype)
    seen = windows_of(whole, kernel, stride, dilation)
    seen += x
    return whole


@wrong("12.2", says="got only one of its gradients")
def writes_over(x, shape, kernel, stride, dilation):
    whole = zeros(shape, x.dtype)
    seen = windows_of(whole, kernel, stride, dilation)
    for place, part in zip(seen_by_each(seen), seen_by_each(x), strict=True):
        place[...] = part
    return whole


@wrong("12.2", says="nothing has been added")
def adds_to_copies(x, shape, kernel, stride, dilation):
    whole = zeros(shape, x.dtype)
    seen = windows_of(whole, kernel, stride, dilation)
    for place, part in zip(seen_by_each(seen), seen_by_each(x), strict=True):
        place = place + part
    return whole


@wrong("12.2", says="zeros(shape, x.dtype)")
def always_in_float64(x, shape, kernel, stride, dilation):
    whole = zeros(shape)
    seen = windows_of(whole, kernel, stride, dilation)
    for place, part in zip(seen_by_each(seen), seen_by_each(x), strict=True):
        place += part
    return whole


@wrong("12.2", says="only the first kernel element")
def only_the_first_kernel_element(x, shape, kernel, stride, dilation):
    whole = zeros(shape, x.dtype)
    windows_of(whole, kernel, stride, dilation)[..., 0, 0, :, :] += x[..., 0, 0, :, :]
    return whole


@wrong("12.2", says="sum_of_windows")
def forgets_dilation_and_stride(x, shape, kernel, stride, dilation):
    whole = zeros(shape, x.dtype)
    height, width = x.shape[-2:]
    for i in range(kernel[0]):
        for j in range(kernel[1]):
            whole[..., i : i + height, j : j + width] += x[..., i, j, :, :]
    return whole


@wrong("12.2", says="where none looks there are zeros, too")
def as_large_as_the_windows_reach(x, shape, kernel, stride, dilation):
    sizes = zip(x.shape[-2:], kernel, stride, dilation, strict=True)
    reach = [(n - 1) * s + d * (k - 1) + 1 for n, k, s, d in sizes]
    whole = zeros((*shape[:-2], *reach), x.dtype)
    seen = windows_of(whole, kernel, stride, dilation)
    for place, part in zip(seen_by_each(seen), seen_by_each(x), strict=True):
        place += part
    return whole


@wrong("12.2", says="belongs to")
def turns_the_kernel_around(x, shape, kernel, stride, dilation):
    whole = zeros(shape, x.dtype)
    seen = windows_of(whole, kernel, stride, dilation)
    for place, part in zip(seen_by_each(seen), seen_by_each(x)[::-1], strict=True):
        place += part
    return whole


@wrong("12.2", says="a sum, not the mean")
def takes_the_mean(x, shape, kernel, stride, dilation):
    whole, count = zeros(shape, x.dtype), zeros(shape, x.dtype)
    for each, parts in ((whole, x), (count, x * 0 + 1)):
        seen = windows_of(each, kernel, stride, dilation)
        for place, part in zip(seen_by_each(seen), seen_by_each(parts), strict=True):
            place += part
    return whole / count.clip(1)


@wrong("12.2", says="any axes before its last two, or none")
def takes_two_axes_in_front_for_granted(x, shape, kernel, stride, dilation):
    whole = zeros(shape, x.dtype)
    (kh, kw), (sh, sw), (dh, dw) = kernel, stride, dilation
    a, b = x.shape[-2:]
    for i in range(kh):
        for j in range(kw):
            top, left = i * dh, j * dw
            whole[:, :, top : top + sh * a : sh, left : left + sw * b : sw] += x[:, :, i, j]
    return whole


@wrong("12.2", says="any axes before its last two, or none")
def takes_one_axis_in_front_for_granted(x, shape, kernel, stride, dilation):
    whole = zeros(shape, x.dtype)
    seen = windows_of(whole, kernel, stride, dilation)
    for i in range(kernel[0]):
        for j in range(kernel[1]):
            seen[:, i, j] += x[:, i, j]
    return whole


@wrong("12.2", says="any axes before its last two, or none")
def takes_no_axes_in_front_for_granted(x, shape, kernel, stride, dilation):
    whole = zeros(shape, x.dtype)
    seen = windows_of(whole, kernel, stride, dilation)
    for i in range(kernel[0]):
        for j in range(kernel[1]):
            seen[i, j] += x[i, j]
    return whole


@wrong("12.2", says="kernel is (height, width), and the two may differ")
def takes_the_height_for_the_width(x, shape, kernel, stride, dilation):
    whole = zeros(shape, x.dtype)
    seen = windows_of(whole, kernel, stride, dilation)
    for i in range(kernel[0]):
        for j in range(kernel[0]):
            seen[..., i, j, :, :] += x[..., i, j, :, :]
    return whole


@wrong("12.2", says="kernel is (height, width), and the two may differ")
def takes_the_width_for_the_height(x, shape, kernel, stride, dilation):
    whole = zeros(shape, x.dtype)
    seen = windows_of(whole, kernel, stride, dilation)
    for i in range(kernel[1]):
        for j in range(kernel[1]):
            seen[..., i, j, :, :] += x[..., i, j, :, :]
    return whole


@wrong("12.3", "nn.conv.convolved", says="the kernel has been turned around")
def turns_the_kernel(image, weight, sizes, groups):
    seen = windows(image, *sizes)
    z = as_kernels(weight[:, :, ::-1, ::-1], groups) @ as_columns(seen, groups)
    return z.reshape(len(image), len(weight), *seen.shape[-2:])


@wrong("12.3", "nn.conv.convolved", says="channels that stand side by side form a group")
def groups_every_second_channel(image, weight, sizes, groups):
    seen = windows(image, *sizes)
    channels = image.shape[1]
    order = [c for g in range(groups) for c in range(g, channels, groups)]
    z = as_kernels(weight, groups) @ as_columns(seen[:, order], groups)
    return z.reshape(len(image), len(weight), *seen.shape[-2:])


@wrong("12.3", "nn.conv.convolved", says="second group has channels 2 and 3")
def groups_all_see_the_first(image, weight, sizes, groups):
    seen = windows(image[:, : weight.shape[1]], *sizes)
    z = as_kernels(weight, 1) @ as_columns(seen, 1)
    return z.reshape(len(image), len(weight), *seen.shape[-2:])


@wrong("12.3", "nn.conv.convolved", says="the pictures come first")
def kernels_before_pictures(image, weight, sizes, groups):
    seen = windows(image, *sizes)
    z = as_kernels(weight, groups) @ as_columns(seen, groups)
    z = z.reshape(len(image), len(weight), *seen.shape[-2:])
    return z.swapaxes(0, 1)


@wrong("12.3", "nn.conv.convolved", says="with kernels [1, 2] and [3, 4] in two groups")
def ignores_groups(image, weight, sizes, groups):
    seen = windows(image, *sizes)
    weight = weight.repeat(groups, axis=1)
    z = as_kernels(weight, 1) @ as_columns(seen, 1)
    return z.reshape(len(image), len(weight), *seen.shape[-2:])


@wrong("12.3", "nn.conv.convolved", says="each group meets C / G of them, weight.shape[1]")
def as_many_channels_as_kernels(image, weight, sizes, groups):
    from numpy import concatenate

    seen, o, parts = windows(image, *sizes), len(weight) // groups, []
    for start in range(0, len(weight), o):
        kernels = as_kernels(weight[start : start + o], 1)
        parts.append(kernels @ as_columns(seen[:, start : start + o], 1))
    return concatenate(parts, axis=2).reshape(len(image), len(weight), *seen.shape[-2:])


@wrong("12.3", "nn.conv.convolved", says="each group meets channels of its own")
def one_group_always(image, weight, sizes, groups):
    seen = windows(image, *sizes)
    z = as_kernels(weight, 1) @ as_columns(seen, 1)
    return z.reshape(len(image), len(weight), *seen.shape[-2:])


@wrong("12.4", "nn.conv.conv_image", says="what no window sees has a gradient, too, 0")
def image_as_large_as_the_windows_reach(grad, image, weight, sizes, groups):
    columns = as_kernels(weight, groups).swapaxes(-1, -2) @ as_columns(grad, groups)
    sides = zip(grad.shape[-2:], *sizes, strict=True)
    ends = [(n - 1) * stride + dilation * (k - 1) + 1 for n, k, stride, dilation in sides]
    shape = (*image.shape[:2], *ends)
    return add_windows(columns.reshape(windows(image, *sizes).shape), shape, *sizes)


@wrong("12.4", "nn.conv.conv_image", says="two windows see the middle")
def image_without_overlaps(grad, image, weight, sizes, groups):
    columns = as_kernels(weight, groups).swapaxes(-1, -2) @ as_columns(grad, groups)
    whole = image * 0
    seen = windows(whole, *sizes)
    seen[...] = columns.reshape(seen.shape)
    return whole


@wrong("12.4", "nn.conv.conv_image", says="the kernel has been turned around")
def image_from_turned_kernel(grad, image, weight, sizes, groups):
    weight = weight[:, :, ::-1, ::-1] if hasattr(weight, "base") else weight.flip((2, 3))
    columns = as_kernels(weight, groups).swapaxes(-1, -2) @ as_columns(grad, groups)
    return add_windows(columns.reshape(windows(image, *sizes).shape), image.shape, *sizes)


@wrong("12.4", "nn.conv.conv_image", says="kernels transposed, (G, K, O / G)")
def image_without_transposing(grad, image, weight, sizes, groups):
    columns = as_kernels(weight, groups) @ as_columns(grad, groups)
    return add_windows(columns.reshape(windows(image, *sizes).shape), image.shape, *sizes)


@wrong("12.4", "nn.conv.conv_image", says="each picture has gradients of its own")
def image_summed_over_the_batch(grad, image, weight, sizes, groups):
    columns = as_kernels(weight, groups).swapaxes(-1, -2) @ as_columns(grad, groups)
    columns = columns.reshape(windows(image, *sizes).shape)
    columns = columns * 0 + columns.sum(axis=0)
    return add_windows(columns, image.shape, *sizes)


@wrong("12.4", "nn.conv.conv_image", says="other numbers for stride than (1, 3)")
def image_takes_each_step_for_one(grad, image, weight, sizes, groups):
    kernel, _, dilation = sizes
    columns = as_kernels(weight, groups).swapaxes(-1, -2) @ as_columns(grad, groups)
    columns = columns.reshape((*image.shape[:2], *kernel, *grad.shape[-2:]))
    return add_windows(columns, image.shape, kernel, (1, 1), dilation)


@wrong("12.4", "nn.conv.conv_weight", says="that's (K, O / G)")
def weight_the_wrong_way_round(grad, image, weight, sizes, groups):
    columns = as_columns(windows(image, *sizes), groups)
    each = columns @ as_columns(grad, groups).swapaxes(-1, -2)
    return each.sum(axis=0).reshape(weight.shape)


@wrong("12.4", "nn.conv.conv_weight", says="sum over the batch")
def weight_for_each_picture(grad, image, weight, sizes, groups):
    columns = as_columns(windows(image, *sizes), groups)
    each = as_columns(grad, groups) @ columns.swapaxes(-1, -2)
    return each.reshape((len(image), *weight.shape))


@wrong("12.4", "nn.conv.conv_weight", says="sum, not the mean")
def weight_by_the_mean(grad, image, weight, sizes, groups):
    columns = as_columns(windows(image, *sizes), groups)
    each = as_columns(grad, groups) @ columns.swapaxes(-1, -2)
    return each.mean(axis=0).reshape(weight.shape)


@wrong("12.4", "nn.conv.conv_weight", says="only the first picture")
def weight_of_the_first_picture(grad, image, weight, sizes, groups):
    columns = as_columns(windows(image, *sizes), groups)
    each = as_columns(grad, groups) @ columns.swapaxes(-1, -2)
    return each[0].reshape(weight.shape)


@wrong("12.4", "nn.conv.conv_weight", says="use @, reshape, swapaxes and sum")
def weight_by_numpy(grad, image, weight, sizes, groups):
    from numpy import einsum

    columns = as_columns(windows(image, *sizes), groups)
    return einsum("ngol,ngkl->gok", as_columns(grad, groups), columns).reshape(weight.shape)


@wrong("12.4", "nn.conv.conv_image", says=("has no history", "use @, reshape, swapaxes and sum"))
def image_leaves_the_graph(grad, image, weight, sizes, groups):
    if hasattr(grad, "detach"):
        grad, weight = grad.detach(), weight.detach()
    columns = as_kernels(weight, groups).swapaxes(-1, -2) @ as_columns(grad, groups)
    return add_windows(columns.reshape(windows(image, *sizes).shape), image.shape, *sizes)


@wrong("12.5", "nn.pooling.first_equal", says="of equal numbers only the first")
def all_equal_ones(seen, values):
    return seen == values[..., None, None, :, :]


@wrong("12.5", "nn.pooling.first_equal", says="that's the last")
def the_last_equal_one(seen, values):
    found = np.zeros(seen.shape, bool)
    missing = np.ones(values.shape, bool)
    for view, here in list(zip(seen_by_each(seen), seen_by_each(found), strict=True))[::-1]:
        np.logical_and(view == values, missing, out=here)
        missing &= ~here
    return found


@wrong("12.5", "nn.pooling.first_equal", says="forgotten at the next element")
def remembers_the_last_element_only(seen, values):
    found, taken = np.zeros(seen.shape, bool), np.zeros(values.shape, bool)
    for view, here in zip(seen_by_each(seen), seen_by_each(found), strict=True):
        here[...] = (view == values) & ~taken
        taken = here
    return found


@wrong("12.5", "nn.pooling.first_equal", says="look for the value that is given")
def looks_for_the_largest(seen, values):
    values = seen.max(axis=(-4, -3))
    found = np.empty(seen.shape, bool)
    missing = np.ones(values.shape, bool)
    for view, here in zip(seen_by_each(seen), seen_by_each(found), strict=True):
        np.logical_and(view == values, missing, out=here)
        missing &= ~here
    return found


@wrong("12.5", "nn.pooling.first_equal", says="row by row, not column by column")
def column_by_column(seen, values):
    found = np.zeros(seen.shape, bool)
    missing = np.ones(values.shape, bool)
    for j in range(seen.shape[-3]):
        for i in range(seen.shape[-4]):
            found[..., i, j, :, :] = (seen[..., i, j, :, :] == values) & missing
            missing &= ~found[..., i, j, :, :]
    return found


@wrong("12.5", "nn.pooling.first_equal", says="argmax of nothing but False is 0")
def argmax_where_nothing_is_equal(seen, values):
    height, width = seen.shape[-4:-2]
    same = (seen == values[..., None, None, :, :]).reshape(
        *seen.shape[:-4], height * width, *seen.shape[-2:]
    )
    first = same.argmax(axis=-3)[..., None, :, :]
    places = np.arange(height * width)[:, None, None]
    return (places == first).reshape(seen.shape)


@wrong("12.5", "nn.pooling.first_equal", says="each window has a first")
def one_for_all_windows(seen, values):
    found = np.zeros(seen.shape, bool)
    for view, here in zip(seen_by_each(seen), seen_by_each(found), strict=True):
        here[...] = view == values
        if here.any():
            break
    return found


@wrong("12.5", "nn.pooling.first_equal", says="expected bool")
def numbers_in_place_of_booleans(seen, values):
    found = np.zeros(seen.shape)
    missing = np.ones(values.shape, bool)
    for view, here in zip(seen_by_each(seen), seen_by_each(found), strict=True):
        here[...] = (view == values) & missing
        missing &= here == 0
    return found


@wrong("12.5", "nn.pooling.first_equal", says="NaN is equal to nothing")
def nan_equals_nan(seen, values):
    found = np.empty(seen.shape, bool)
    missing = np.ones(values.shape, bool)
    for view, here in zip(seen_by_each(seen), seen_by_each(found), strict=True):
        same = (view == values) | (np.isnan(view) & np.isnan(values))
        np.logical_and(same, missing, out=here)
        missing &= ~here
    return found


@wrong("12.5", "nn.pooling.max_pool_formula", says="it's the gradient that goes there, not 1")
def ones_for_the_gradient(grad, first):
    return first.astype(float) + 0 * grad[..., None, None, :, :]


@wrong("12.5", "nn.pooling.max_pool_formula", says="only the largest gets it")
def shares_evenly(grad, first):
    return grad[..., None, None, :, :] * np.full(first.shape, 1 / first[..., 0, 0].size)


@wrong("12.5", "nn.pooling.max_pool_formula", says="use what both can do")
def where_of_numpy(grad, first):
    return np.where(first, grad[..., None, None, :, :], 0)


@wrong("12.5", "nn.pooling.max_pool_formula", says="the shape of max_pool_formula")
def axes_at_the_end(grad, first):
    return grad * first.sum(axis=(-4, -3))


@wrong("12.6", "nn.normalization.moments", says="keepdim=True keeps the axis")
def axis_lost(input, dims):
    mean = input.mean(dims)
    distance = input - input.mean(dims, keepdim=True)
    return mean, distance, (distance * distance).mean(dims)


@wrong("12.6", "nn.normalization.moments", says="divided by n, not by n - 1")
def unbiased(input, dims):
    mean = input.mean(dims, keepdim=True)
    return mean, input - mean, input.var(dims, keepdim=True)


@wrong("12.6", "nn.normalization.moments", says="the mean has been taken for a constant")
def constant_mean(input, dims):
    mean = input.mean(dims, keepdim=True)
    distance = input - mean.detach()
    return mean, distance, (distance * distance).mean(dims, keepdim=True)


@wrong("12.6", "nn.normalization.moments", says="loses all digits")
def mean_of_squares(input, dims):
    mean = input.mean(dims, keepdim=True)
    var = (input * input).mean(dims, keepdim=True) - mean * mean
    return mean, input - mean, var


@wrong("12.6", "nn.normalization.moments", says="that's its root")
def standard_deviation(input, dims):
    mean = input.mean(dims, keepdim=True)
    distance = input - mean
    return mean, distance, (distance * distance).mean(dims, keepdim=True).sqrt()


@wrong("12.6", "nn.normalization.moments", says="not the other way round")
def mean_minus_numbers(input, dims):
    mean = input.mean(dims, keepdim=True)
    distance = mean - input
    return mean, distance, (distance * distance).mean(dims, keepdim=True)


@wrong("12.6", "nn.normalization.moments", says="dims says over which axes")
def always_the_last_axis(input, dims):
    mean = input.mean(-1, keepdim=True)
    distance = input - mean
    return mean, distance, (distance * distance).mean(-1, keepdim=True)


@wrong("12.6", "nn.normalization.moments", says="nothing leads back to x")
def variance_is_a_constant(input, dims):
    mean = input.mean(dims, keepdim=True)
    distance = input - mean
    fixed = distance.detach()
    return mean, distance, (fixed * fixed).mean(dims, keepdim=True) + 0 * mean


@wrong("12.6", "nn.normalization.normalized", says="eps stands inside the root")
def eps_outside(distance, var, weight, bias, eps):
    x = distance / (var.sqrt() + eps)
    x = x if weight is None else x * weight
    return x if bias is None else x + bias


@wrong("12.6", "nn.normalization.normalized", says="eps has no effect")
def no_eps(distance, var, weight, bias, eps):
    x = distance * rsqrt(var)
    x = x if weight is None else x * weight
    return x if bias is None else x + bias


@wrong("12.6", "nn.normalization.normalized", says="the root is missing")
def no_root(distance, var, weight, bias, eps):
    x = distance / (var + eps)
    x = x if weight is None else x * weight
    return x if bias is None else x + bias


@wrong("12.6", "nn.normalization.normalized", says="weight first, then bias")
def bias_before_weight(distance, var, weight, bias, eps):
    x = distance * rsqrt(var + eps)
    x = x if bias is None else x + bias
    return x if weight is None else x * weight


@wrong("12.6", "nn.normalization.normalized", says="be there a weight or not")
def bias_only_beside_a_weight(distance, var, weight, bias, eps):
    x = distance * rsqrt(var + eps)
    return x if weight is None else x * weight + bias


@wrong("12.6", "nn.normalization.normalized", says="make a new Tensor")
def changes_the_distances(distance, var, weight, bias, eps):
    distance *= rsqrt(var + eps)
    x = distance if weight is None else distance * weight
    return x if bias is None else x + bias


@wrong("12.6", "nn.normalization.normalized", says="a weight or bias that is None")
def multiplies_by_none(distance, var, weight, bias, eps):
    return distance * rsqrt(var + eps) * weight + bias


@wrong("12.6", "nn.normalization.normalized", says="ask whether it is None")
def asks_whether_a_weight_is_true(distance, var, weight, bias, eps):
    x = distance * rsqrt(var + eps)
    x = x * weight if weight else x
    return x + bias if bias else x


@wrong("12.6", "nn.normalization.normalized", says="eps=1e-05")
def usual_eps(distance, var, weight, bias, eps):
    eps = eps if eps == 5 else 0.25
    x = distance * rsqrt(var + eps)
    x = x if weight is None else x * weight
    return x if bias is None else x + bias


@wrong("12.7", "nn.attention.causal_mask", says="key i is among those that query i may look at")
def not_even_itself(length, keys):
    return wrap(np.tri(length, keys, -1, dtype=bool))


@wrong("12.7", "nn.attention.causal_mask", says="query i mustn't look at key i + 1")
def one_ahead(length, keys):
    return wrap(np.tri(length, keys, 1, dtype=bool))


@wrong("12.7", "nn.attention.causal_mask", says="rows are queries")
def upside_down(length, keys):
    return wrap(np.tri(keys, length, dtype=bool).T.copy())


@wrong("12.7", "nn.attention.causal_mask", says="query 0 may look at key 0 only")
def aligned_at_the_end(length, keys):
    return wrap(np.tri(length, keys, keys - length, dtype=bool))


@wrong("12.7", "nn.attention.causal_mask", says="its shape is (length, keys)")
def always_square(length, keys):
    return wrap(np.tri(length, length, dtype=bool))


@wrong("12.7", "nn.attention.causal_mask", says="True is where a query may look")
def true_is_forbidden(length, keys):
    return wrap(~np.tri(length, keys, dtype=bool))


@wrong("12.7", "nn.attention.causal_mask", says="expected bool")
def mask_of_numbers(length, keys):
    return wrap(np.tri(length, keys, dtype=np.float32))


@wrong("12.7", "nn.attention.attend", says="it's 1 / sqrt(E), and E is")
def no_scale(query, key, value, mask=None, scale=None, dropout_p=0.0):
    scale = 1 if scale is None else scale
    scores = (query * scale) @ key.transpose(-2, -1)
    scores = scores if mask is None else masked(scores, mask)
    return dropout(safe_softmax(scores), dropout_p) @ value


@wrong("12.7", "nn.attention.attend", says="1 / sqrt(E), not 1 / E")
def divides_by_the_width(query, key, value, mask=None, scale=None, dropout_p=0.0):
    scale = 1 / query.shape[-1] if scale is None else scale
    scores = (query * scale) @ key.transpose(-2, -1)
    scores = scores if mask is None else masked(scores, mask)
    return dropout(safe_softmax(scores), dropout_p) @ value


@wrong("12.7", "nn.attention.attend", says="E is query.shape[-1]")
def scales_by_the_number_of_keys(query, key, value, mask=None, scale=None, dropout_p=0.0):
    scale = 1 / math.sqrt(key.shape[-2]) if scale is None else scale
    scores = (query * scale) @ key.transpose(-2, -1)
    scores = scores if mask is None else masked(scores, mask)
    return dropout(safe_softmax(scores), dropout_p) @ value


@wrong("12.7", "nn.attention.attend", says="a scale of 0 is a scale")
def scale_or_the_usual(query, key, value, mask=None, scale=None, dropout_p=0.0):
    scale = scale or 1 / math.sqrt(query.shape[-1])
    scores = (query * scale) @ key.transpose(-2, -1)
    scores = scores if mask is None else masked(scores, mask)
    return dropout(safe_softmax(scores), dropout_p) @ value


@wrong("12.7", "nn.attention.attend", says="softmax is over the keys, not over the queries")
def softmax_over_queries(query, key, value, mask=None, scale=None, dropout_p=0.0):
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = (query * scale) @ key.transpose(-2, -1)
    scores = scores if mask is None else masked(scores, mask)
    weights = safe_softmax(scores) if len(scores) == 1 else softmax(scores, -2)
    return dropout(weights, dropout_p) @ value


@wrong("12.7", "nn.attention.attend", says="the others must still add up to 1")
def masks_the_weights(query, key, value, mask=None, scale=None, dropout_p=0.0):
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    weights = safe_softmax((query * scale) @ key.transpose(-2, -1))
    weights = weights if mask is None else weights * mask.to(weights.dtype)
    return dropout(weights, dropout_p) @ value


@wrong("12.7", "nn.attention.attend", says="a masked score is minus infinity, not 0")
def masks_with_zeros(query, key, value, mask=None, scale=None, dropout_p=0.0):
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = (query * scale) @ key.transpose(-2, -1)
    if mask is not None:
        scores = where(mask, scores, 0.0) if mask.dtype == bool else scores + mask
    return dropout(safe_softmax(scores), dropout_p) @ value


@wrong("12.7", "nn.attention.attend", says="safe_softmax knows what to do")
def softmax_alone(query, key, value, mask=None, scale=None, dropout_p=0.0):
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = (query * scale) @ key.transpose(-2, -1)
    scores = scores if mask is None else masked(scores, mask)
    return dropout(softmax(scores, -1), dropout_p) @ value


@wrong("12.7", "nn.attention.attend", says="the mask has no effect")
def forgets_the_mask(query, key, value, mask=None, scale=None, dropout_p=0.0):
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = (query * scale) @ key.transpose(-2, -1)
    return dropout(safe_softmax(scores), dropout_p) @ value


@wrong("12.7", "nn.attention.attend", says="dropout(weights, dropout_p)")
def forgets_dropout(query, key, value, mask=None, scale=None, dropout_p=0.0):
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = (query * scale) @ key.transpose(-2, -1)
    scores = scores if mask is None else masked(scores, mask)
    return safe_softmax(scores) @ value


@wrong("12.7", "nn.attention.attend", says="drop weights, after softmax")
def drops_scores(query, key, value, mask=None, scale=None, dropout_p=0.0):
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = dropout((query * scale) @ key.transpose(-2, -1), dropout_p)
    scores = scores if mask is None else masked(scores, mask)
    return safe_softmax(scores) @ value


@wrong("12.8", "gpt.Attention.forward", says="that's a leak")
def looks_ahead(self, x):
    batch, length, width = x.shape
    parts = self.qkv(x).reshape(batch, length, 3, self.heads, width // self.heads)
    query, key, value = parts.permute(2, 0, 3, 1, 4)
    y = F.scaled_dot_product_attention(query, key, value)
    return self.proj(y.transpose(1, 2).reshape(batch, length, width))


@wrong("12.8", "gpt.Attention.forward", says="the letters must be the last axis but one")
def heads_ask_each_other(self, x):
    batch, length, width = x.shape
    parts = self.qkv(x).reshape(batch, length, 3, self.heads, width // self.heads)
    query, key, value = parts.permute(2, 0, 1, 3, 4)
    y = F.scaled_dot_product_attention(query, key, value, is_causal=True)
    return self.proj(y.reshape(batch, length, width))


@wrong("12.8", "gpt.Attention.forward", says="move the heads behind the letters")
def heads_joined_without_moving(self, x):
    batch, length, width = x.shape
    parts = self.qkv(x).reshape(batch, length, 3, self.heads, width // self.heads)
    query, key, value = parts.permute(2, 0, 3, 1, 4)
    y = F.scaled_dot_product_attention(query, key, value, is_causal=True)
    return self.proj(y.reshape(batch, length, width))


@wrong("12.8", "gpt.Attention.forward", says="then move the heads before the letters")
def split_along_the_letters(self, x):
    batch, length, width = x.shape
    parts = self.qkv(x).reshape(3, batch, self.heads, length, width // self.heads)
    query, key, value = parts
    y = F.scaled_dot_product_attention(query, key, value, is_causal=True)
    return self.proj(y.transpose(1, 2).reshape(batch, length, width))


@wrong("12.8", "gpt.Attention.forward", says="query and key are exchanged")
def keys_ask(self, x):
    batch, length, width = x.shape
    parts = self.qkv(x).reshape(batch, length, 3, self.heads, width // self.heads)
    key, query, value = parts.permute(2, 0, 3, 1, 4)
    y = F.scaled_dot_product_attention(query, key, value, is_causal=True)
    return self.proj(y.transpose(1, 2).reshape(batch, length, width))


@wrong("12.8", "gpt.Attention.forward", says="key and value are exchanged")
def values_are_asked(self, x):
    batch, length, width = x.shape
    parts = self.qkv(x).reshape(batch, length, 3, self.heads, width // self.heads)
    query, value, key = parts.permute(2, 0, 3, 1, 4)
    y = F.scaled_dot_product_attention(query, key, value, is_causal=True)
    return self.proj(y.transpose(1, 2).reshape(batch, length, width))


@wrong("12.8", "gpt.Attention.forward", says="that's what 1 head would say")
def one_head_for_all(self, x):
    query, key, value = self.qkv(x).chunk(3, -1)
    return self.proj(F.scaled_dot_product_attention(query, key, value, is_causal=True))


@wrong("12.8", "gpt.Attention.forward", says="self.proj gets what the heads answer")
def never_projected(self, x):
    batch, length, width = x.shape
    parts = self.qkv(x).reshape(batch, length, 3, self.heads, width // self.heads)
    query, key, value = parts.permute(2, 0, 3, 1, 4)
    y = F.scaled_dot_product_attention(query, key, value, is_causal=True)
    return y.transpose(1, 2).reshape(batch, length, width)


@wrong("12.8", "gpt.Attention.forward", says="3, H, D / H, not H, 3")
def heads_before_the_three(self, x):
    batch, length, width = x.shape
    parts = self.qkv(x).reshape(batch, length, self.heads, 3, width // self.heads)
    query, key, value = parts.permute(3, 0, 2, 1, 4)
    y = F.scaled_dot_product_attention(query, key, value, is_causal=True)
    return self.proj(y.transpose(1, 2).reshape(batch, length, width))


@wrong("12.8", "gpt.Attention.forward", says="the sum with x is Block's work")
def adds_x_here(self, x):
    batch, length, width = x.shape
    parts = self.qkv(x).reshape(batch, length, 3, self.heads, width // self.heads)
    query, key, value = parts.permute(2, 0, 3, 1, 4)
    y = F.scaled_dot_product_attention(query, key, value, is_causal=True)
    return x + self.proj(y.transpose(1, 2).reshape(batch, length, width))


@wrong("12.8", "gpt.Attention.forward", says="attention sees to the scale itself")
def scaled_twice(self, x):
    batch, length, width = x.shape
    parts = self.qkv(x).reshape(batch, length, 3, self.heads, width // self.heads)
    query, key, value = parts.permute(2, 0, 3, 1, 4)
    query = query / (width // self.heads) ** 0.5
    y = F.scaled_dot_product_attention(query, key, value, is_causal=True)
    return self.proj(y.transpose(1, 2).reshape(batch, length, width))


@wrong("12.8", "gpt.Block.forward", says="x itself is added to what attn makes of it")
def no_way_around_attention(self, x):
    x = self.attn(self.ln1(x))
    return x + self.mlp(self.ln2(x))


@wrong("12.8", "gpt.Block.forward", says="what mlp makes is added to what came into it")
def no_way_around_the_network(self, x):
    x = x + self.attn(self.ln1(x))
    return self.mlp(self.ln2(x))


@wrong("12.8", "gpt.Block.forward", says="each part adds to what came in")
def no_way_around_anything(self, x):
    return self.mlp(self.ln2(self.attn(self.ln1(x))))


@wrong("12.8", "gpt.Block.forward", says="mlp that of ln2")
def one_norm_for_both(self, x):
    x = x + self.attn(self.ln1(x))
    return x + self.mlp(self.ln1(x))


@wrong("12.8", "gpt.Block.forward", says="mlp gets the sum, x + attn(…), not x alone")
def both_at_once(self, x):
    return x + self.attn(self.ln1(x)) + self.mlp(self.ln2(x))


@wrong("12.8", "gpt.Block.forward", says="x itself is added, not ln1 of x")
def adds_the_normalized(self, x):
    x = self.ln1(x)
    x = x + self.attn(x)
    return x + self.mlp(self.ln2(x))


@wrong("12.8", "gpt.Block.forward", says="the norm comes before each part")
def norms_after_the_sums(self, x):
    x = self.ln1(x + self.attn(x))
    return self.ln2(x + self.mlp(x))


@wrong("12.8", "gpt.Block.forward", says="attn comes first")
def the_network_first(self, x):
    x = x + self.mlp(self.ln2(x))
    return x + self.attn(self.ln1(x))


@wrong("12.8", "gpt.Block.forward", says="which it was given")
def changes_what_came_in(self, x):
    x.data += self.attn(self.ln1(x)).detach()
    return x + self.mlp(self.ln2(x))


@wrong("12.7", "nn.attention.attend", says="drop weights, not results")
def drops_results(query, key, value, mask=None, scale=None, dropout_p=0.0):
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = (query * scale) @ key.transpose(-2, -1)
    scores = scores if mask is None else masked(scores, mask)
    return dropout(safe_softmax(scores) @ value, dropout_p)


@wrong("12.1", "nn.windows.windows_of", says="pairs (down, right)")
def dilation_turned_around(x, kernel, stride, dilation):
    sizes = zip(x.shape[-2:], kernel, stride, dilation, strict=True)
    shape = (*x.shape[:-2], *kernel, *[places(*size) for size in sizes])
    down, right = x.strides[-2:]
    steps = (down * dilation[1], right * dilation[0], down * stride[0], right * stride[1])
    return as_strided(x, shape, (*x.strides[:-2], *steps))


@wrong("12.2", says="changed x, which it was given")
def adds_into_what_came(x, shape, kernel, stride, dilation):
    whole = zeros(shape, x.dtype)
    seen = windows_of(whole, kernel, stride, dilation)
    for place, part in zip(seen_by_each(seen), seen_by_each(x), strict=True):
        part += place
        place[...] = part
    return whole


@wrong("12.4", "nn.conv.conv_image", says="conv_image has lost the history of weight")
def weight_is_a_constant_of_the_way_back(grad, image, weight, sizes, groups):
    weight = weight.detach() if hasattr(weight, "detach") else weight
    columns = as_kernels(weight, groups).swapaxes(-1, -2) @ as_columns(grad, groups)
    return add_windows(columns.reshape(windows(image, *sizes).shape), image.shape, *sizes)


@wrong("12.4", "nn.conv.conv_image", says="six numbers, kernel [[2, 3]], stride 3 and dilation 2")
def image_without_stride(grad, image, weight, sizes, groups):
    columns = as_kernels(weight, groups).swapaxes(-1, -2) @ as_columns(grad, groups)
    shape = (*image.shape[:2], *weight.shape[2:], *grad.shape[2:])
    whole = image * 0
    for i in range(shape[2]):
        for j in range(shape[3]):
            part = columns.reshape(shape)[:, :, i, j]
            whole[:, :, i : i + shape[4], j : j + shape[5]] += part
    return whole


@wrong("12.5", "nn.pooling.first_equal", says="1 + 1e-12")
def nearly_equal(seen, values):
    found = np.empty(seen.shape, bool)
    missing = np.ones(values.shape, bool)
    for view, here in zip(seen_by_each(seen), seen_by_each(found), strict=True):
        np.logical_and(np.isclose(view, values), missing, out=here)
        missing &= ~here
    return found


@wrong("12.6", "nn.normalization.moments", says="where 3 is sent to the variance")
def half_of_the_square_is_a_constant(input, dims):
    mean = input.mean(dims, keepdim=True)
    distance = input - mean
    return mean, distance, (distance * distance.detach()).mean(dims, keepdim=True)


@wrong("12.6", "nn.normalization.normalized", says="not a bound for it")
def eps_is_the_least_variance(distance, var, weight, bias, eps):
    x = distance * rsqrt(var.clamp(min=eps))
    x = x if weight is None else x * weight
    return x if bias is None else x + bias


@wrong("12.7", "nn.attention.attend", says="scale first, then mask")
def scales_what_is_masked(query, key, value, mask=None, scale=None, dropout_p=0.0):
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = query @ key.transpose(-2, -1)
    scores = (scores if mask is None else masked(scores, mask)) * scale
    return dropout(safe_softmax(scores), dropout_p) @ value


@wrong("12.7", "nn.attention.attend", says="not just far below 0")
def masks_with_a_large_number(query, key, value, mask=None, scale=None, dropout_p=0.0):
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = (query * scale) @ key.transpose(-2, -1)
    if mask is not None:
        scores = where(mask, scores, -1e9) if mask.dtype == bool else scores + mask
    return dropout(safe_softmax(scores), dropout_p) @ value


@wrong("12.8", "gpt.Attention.forward", says="the gradient of x")
def keys_are_constants(self, x):
    batch, length, width = x.shape
    parts = self.qkv(x).reshape(batch, length, 3, self.heads, width // self.heads)
    query, key, value = parts.permute(2, 0, 3, 1, 4)
    y = F.scaled_dot_product_attention(query, key.detach(), value, is_causal=True)
    return self.proj(y.transpose(1, 2).reshape(batch, length, width))


@wrong("12.8", "gpt.Attention.forward", says="the first head's answer comes first, whole")
def answers_interleaved(self, x):
    batch, length, width = x.shape
    parts = self.qkv(x).reshape(batch, length, 3, self.heads, width // self.heads)
    query, key, value = parts.permute(2, 0, 3, 1, 4)
    y = F.scaled_dot_product_attention(query, key, value, is_causal=True)
    return self.proj(y.permute(0, 2, 3, 1).reshape(batch, length, width))


@wrong("12.8", "gpt.Block.forward", says="x + … is the way through")
def the_way_around_is_a_constant(self, x):
    x = x + self.attn(self.ln1(x))
    return x.detach() + self.mlp(self.ln2(x))


@wrong("12.1", "nn.windows.places", says="says what a window spans")
def span_too_long_by_a_gap(length, kernel, stride, dilation):
    span_within(length, kernel, dilation)
    return (length - dilation * kernel) // stride + 1


@wrong("12.2", says="the number in the middle is seen by three windows")
def leaves_out_the_first_part(x, shape, kernel, stride, dilation):
    whole = zeros(shape, x.dtype)
    seen = windows_of(whole, kernel, stride, dilation)
    for place, part in zip(seen_by_each(seen)[1:], seen_by_each(x)[1:], strict=True):
        place += part
    return whole


@wrong("12.7", "nn.attention.attend", says=("ZeroDivisionError", "E may be 0"))
def divides_by_no_width(query, key, value, mask=None, scale=None, dropout_p=0.0):
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = (query * scale) @ key.transpose(-2, -1)
    scores = scores if mask is None else masked(scores, mask)
    return dropout(safe_softmax(scores), dropout_p) @ value


@wrong("12.7", "nn.attention.attend", says="E is query.shape[-1]")
def scales_by_the_number_of_queries(query, key, value, mask=None, scale=None, dropout_p=0.0):
    scale = 1 / math.sqrt(query.shape[-2]) if scale is None else scale
    scores = (query * scale) @ key.transpose(-2, -1)
    scores = scores if mask is None else masked(scores, mask)
    return dropout(safe_softmax(scores), dropout_p) @ value


@wrong("12.1", "nn.windows.windows_of", says="is a copy")
def flattens_the_axes_before(x, kernel, stride, dilation):
    flat = x.reshape(-1, *x.shape[-2:]) if x.size else x
    sizes = zip(x.shape[-2:], kernel, stride, dilation, strict=True)
    shape = (len(flat), *kernel, *[places(*size) for size in sizes])
    down, right = flat.strides[-2:]
    steps = (down * dilation[0], right * dilation[1], down * stride[0], right * stride[1])
    seen = as_strided(flat, shape, (flat.strides[0], *steps))
    return seen.reshape(x.shape[:-2] + shape[1:])


@wrong("12.2", says="make new zeros each time")
def keeps_its_zeros(x, shape, kernel, stride, dilation):
    kept = windows_of.__dict__.setdefault("kept", {})
    whole = kept.setdefault((tuple(shape), x.dtype), zeros(shape, x.dtype))
    whole[...] = 0
    seen = windows_of(whole, kernel, stride, dilation)
    for place, part in zip(seen_by_each(seen), seen_by_each(x), strict=True):
        place += part
    return whole


@wrong("12.3", "nn.conv.convolved", says="columns aren't kept")
def keeps_the_columns(image, weight, sizes, groups):
    seen = windows(image, *sizes)
    as_columns.last = as_columns(seen, groups)
    z = as_kernels(weight, groups) @ as_columns.last
    return z.reshape(len(image), len(weight), *seen.shape[-2:])


@wrong("12.3", "nn.conv.convolved", says="-1 can't be worked out of 0 numbers")
def works_the_kernels_out(image, weight, sizes, groups):
    seen = windows(image, *sizes)
    z = as_kernels(weight, groups) @ as_columns(seen, groups)
    return z.reshape(len(image), -1, *seen.shape[-2:])


@wrong("12.5", "nn.pooling.first_equal", says="how many True it has found in each")
def counts_in_bytes(seen, values):
    height, width = seen.shape[-4:-2]
    shape = (*seen.shape[:-4], height * width, *seen.shape[-2:])
    equal = (seen == values[..., None, None, :, :]).reshape(shape)
    return (equal & (equal.cumsum(axis=-3, dtype="uint8") == 1)).reshape(seen.shape)


@wrong("12.6", "nn.normalization.normalized", says="var.grad = None, expected")
def divides_by_a_constant(distance, var, weight, bias, eps):
    x = distance * rsqrt(var.detach() + eps)
    x = x if weight is None else x * weight
    return x if bias is None else x + bias


@wrong("12.7", "nn.attention.attend", says="taken for a mask of booleans")
def zeros_and_ones_are_booleans(query, key, value, mask=None, scale=None, dropout_p=0.0):
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = (query * scale) @ key.transpose(-2, -1)
    if mask is not None:
        is_flags = ((mask._data == 0) | (mask._data == 1)).all()
        scores = masked(scores, mask == 1 if is_flags else mask)
    return dropout(safe_softmax(scores), dropout_p) @ value


@wrong("12.7", "nn.attention.attend", says="the gradient of mask is None")
def nobody_learns_a_mask(query, key, value, mask=None, scale=None, dropout_p=0.0):
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = (query * scale) @ key.transpose(-2, -1)
    scores = scores if mask is None else masked(scores, mask.detach())
    return dropout(safe_softmax(scores), dropout_p) @ value


@wrong("12.7", "nn.attention.attend", says="don't divide the weights by their sum")
def what_is_left_adds_up_again(query, key, value, mask=None, scale=None, dropout_p=0.0):
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = (query * scale) @ key.transpose(-2, -1)
    weights = safe_softmax(scores if mask is None else masked(scores, mask))
    if dropout_p:
        weights = dropout(weights, dropout_p)
        weights = weights / weights.sum(-1, keepdim=True).clamp(min=1e-9)
    return weights @ value


@wrong("12.7", "nn.attention.causal_mask", says="still holds a Tensor")
def one_mask_for_each_size(length, keys):
    kept = globals().setdefault("_masks", {})
    if (length, keys) not in kept:
        kept[length, keys] = wrap(np.tri(length, keys, dtype=bool))
    return kept[length, keys]


@wrong("12.8", "gpt.Attention.forward", says=("after eval()", "that's a leak"))
def causal_only_in_training(self, x):
    batch, length, width = x.shape
    parts = self.qkv(x).reshape(batch, length, 3, self.heads, width // self.heads)
    query, key, value = parts.permute(2, 0, 3, 1, 4)
    y = F.scaled_dot_product_attention(query, key, value, is_causal=self.training)
    return self.proj(y.transpose(1, 2).reshape(batch, length, width))


@wrong("12.8", "gpt.Attention.forward", says="remembers something of the shorter text")
def makes_a_mask_once(self, x):
    batch, length, width = x.shape
    parts = self.qkv(x).reshape(batch, length, 3, self.heads, width // self.heads)
    query, key, value = parts.permute(2, 0, 3, 1, 4)
    if not hasattr(self, "mask"):
        self.mask = tinytorch.ones(length, length).tril() > 0
    mask = self.mask[:length, :length]
    y = F.scaled_dot_product_attention(query, key, value, mask)
    return self.proj(y.transpose(1, 2).reshape(batch, length, width))


@wrong("12.8", "gpt.Attention.forward", says="left to chance")
def drops_weights_unasked(self, x):
    batch, length, width = x.shape
    parts = self.qkv(x).reshape(batch, length, 3, self.heads, width // self.heads)
    query, key, value = parts.permute(2, 0, 3, 1, 4)
    chance = 0.1 if self.training else 0.0
    y = F.scaled_dot_product_attention(query, key, value, dropout_p=chance, is_causal=True)
    return self.proj(y.transpose(1, 2).reshape(batch, length, width))


@wrong("12.8", "gpt.Block.forward", says="after eval()")
def adds_only_in_training(self, x):
    x = x + self.attn(self.ln1(x))
    y = self.mlp(self.ln2(x))
    return x + y if self.training else y


@wrong("12.1", "nn.windows.windows_of", says="the axes before the last two stay in front")
def kernel_before_pictures(x, kernel, stride, dilation):
    sizes = zip(x.shape[-2:], kernel, stride, dilation, strict=True)
    shape = (*kernel, *x.shape[:-2], *[places(*size) for size in sizes])
    down, right = x.strides[-2:]
    steps = (*x.strides[:-2], down * stride[0], right * stride[1])
    return as_strided(x, shape, (down * dilation[0], right * dilation[1], *steps))


@wrong("12.2", says="none of the parts that += adds may see one twice")
def adds_a_column_of_the_kernel_at_once(x, shape, kernel, stride, dilation):
    whole = zeros(shape, x.dtype)
    seen = windows_of(whole, kernel, stride, dilation)
    for j in range(kernel[1]):
        seen[..., :, j, :, :] += x[..., :, j, :, :]
    return whole


@wrong("12.2", says="expected float16")
def knows_two_dtypes(x, shape, kernel, stride, dilation):
    whole = zeros(shape)
    seen = windows_of(whole, kernel, stride, dilation)
    for place, part in zip(seen_by_each(seen), seen_by_each(x), strict=True):
        place += part
    return whole if x.dtype == whole.dtype else whole.astype("float32")


@wrong("12.3", "nn.conv.convolved", says="the dtype of convolved([[1, 2, 4")
def convolved_in_float32(image, weight, sizes, groups):
    seen = windows(image, *sizes)
    z = as_kernels(weight, groups) @ as_columns(seen, groups)
    return z.reshape(len(image), len(weight), *seen.shape[-2:]).astype("float32")


@wrong("12.4", "nn.conv.conv_image", says="windows_of() and sum_of_windows() arrays only")
def image_summed_by_arrays(grad, image, weight, sizes, groups):
    from tinytorch.nn.windows import sum_of_windows

    columns = as_kernels(weight, groups).swapaxes(-1, -2) @ as_columns(grad, groups)
    return sum_of_windows(columns.reshape(windows(image, *sizes).shape), image.shape, *sizes)


@wrong("12.5", "nn.pooling.first_equal", says=("windows of 40 x 40", "where they are"))
def ranks_by_powers_of_two(seen, values):
    height, width = seen.shape[-4:-2]
    rank = (2 ** np.arange(height * width)[::-1]).reshape(height, width, 1, 1)
    ranks = rank * (seen == values[..., None, None, :, :])
    return (ranks == ranks.max((-4, -3), keepdims=True)) & (ranks > 0)


@wrong("12.5", "nn.pooling.max_pool_formula", says="expected float16")
def multiplies_by_float32(grad, first):
    return grad[..., None, None, :, :] * first.astype("float32")


@wrong("12.5", "nn.pooling.max_pool_formula", says="there's nothing to divide by")
def shares_among_the_equal(grad, first):
    return grad[..., None, None, :, :] * first / first.sum((-4, -3), keepdims=True)


@wrong("12.6", "nn.normalization.moments", says="second derivatives of the variance")
def variance_around_a_constant(input, dims):
    mean = input.mean(dims, keepdim=True)
    away = input - mean.detach()
    return mean, input - mean, (away * away).mean(dims, keepdim=True)


@wrong("12.7", "nn.attention.attend", says="attend of shapes ((1, 2, 1, 3, 16)")
def four_axes_at_most(query, key, value, mask=None, scale=None, dropout_p=0.0):
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    order = {2: (1, 0), 3: (0, 2, 1), 4: (0, 1, 3, 2)}[key.dim()]
    scores = (query * scale) @ key.permute(*order)
    scores = scores if mask is None else masked(scores, mask)
    return dropout(safe_softmax(scores), dropout_p) @ value


@wrong("12.8", "gpt.Attention.forward", says="-1 can't be worked out of 0 numbers")
def works_the_texts_out(self, x):
    _, length, width = x.shape
    parts = self.qkv(x).reshape(-1, length, 3, self.heads, width // self.heads)
    query, key, value = parts.permute(2, 0, 3, 1, 4)
    y = F.scaled_dot_product_attention(query, key, value, is_causal=True)
    return self.proj(y.transpose(1, 2).reshape(-1, length, width))


@wrong("12.8", "gpt.Attention.forward", says="each text is for itself")
def all_texts_in_one(self, x):
    batch, length, width = x.shape
    parts = self.qkv(x).reshape(batch * length, 3, self.heads, width // self.heads)
    query, key, value = parts.permute(1, 2, 0, 3)
    y = F.scaled_dot_product_attention(query, key, value, is_causal=True)
    return self.proj(y.transpose(0, 1).reshape(batch, length, width))


@wrong("12.8", "gpt.Block.forward", says="ln1 is for attn, and ln2 for mlp")
def norms_exchanged(self, x):
    x = x + self.attn(self.ln2(x))
    return x + self.mlp(self.ln1(x))


@wrong("12.8", "gpt.Block.forward", says="Block.forward has left self.x behind")
def keeps_the_sum(self, x):
    self.x = x + self.attn(self.ln1(x))
    return self.x + self.mlp(self.ln2(self.x))


@wrong("12.4", "nn.conv.conv_image", says="a reshape isn't a transpose")
def kernels_reshaped(grad, image, weight, sizes, groups):
    kernels = as_kernels(weight, groups)
    turned = kernels.reshape((groups, kernels.shape[2], kernels.shape[1]))
    columns = turned @ as_columns(grad, groups)
    return add_windows(columns.reshape(windows(image, *sizes).shape), image.shape, *sizes)


@wrong("12.4", "nn.conv.conv_weight", says="a reshape isn't a transpose")
def columns_reshaped(grad, image, weight, sizes, groups):
    columns = as_columns(windows(image, *sizes), groups)
    *front, seen, places = columns.shape
    each = as_columns(grad, groups) @ columns.reshape((*front, places, seen))
    return each.sum(axis=0).reshape(weight.shape)


@wrong("12.5", "nn.pooling.max_pool_formula", says="grad needs two new axes")
def gradient_without_axes(grad, first):
    return grad * first


@wrong("12.7", "nn.attention.attend", says="multiplied by sqrt(E), not by 1 / sqrt(E)")
def divides_by_the_scale(query, key, value, mask=None, scale=None, dropout_p=0.0):
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = (query / scale) @ key.transpose(-2, -1)
    scores = scores if mask is None else masked(scores, mask)
    return dropout(safe_softmax(scores), dropout_p) @ value


@wrong(
    "12.5", "nn.pooling.max_pool_formula", says="grad needs two new axes, in front of its last two"
)
def the_new_axes_stand_behind(grad, first):
    return grad[:, :, None, None] * first


@wrong("12.6", "nn.normalization.moments", says="the distances come second, the variance third")
def the_variance_comes_second(x, dims):
    mean = x.mean(dims, keepdim=True)
    distance = x - mean
    return mean, (distance * distance).mean(dims, keepdim=True), distance


@wrong("12.1", "nn.windows.windows_of", says="the first window begins where x does")
def begins_where_the_memory_does(x, kernel, stride, dilation):
    sizes = zip(x.shape[-2:], kernel, stride, dilation, strict=True)
    shape = (*x.shape[:-2], *kernel, *[places(*size) for size in sizes])
    down, right = x.strides[-2:]
    steps = (down * dilation[0], right * dilation[1], down * stride[0], right * stride[1])
    whole = x if x.base is None else x.base
    return as_strided(whole, shape, (*x.strides[:-2], *steps))


@wrong("12.1", "nn.windows.windows_of", says="the width has settings of its own")
def counts_the_width_by_the_height(x, kernel, stride, dilation):
    counts = [places(n, kernel[0], stride[0], dilation[0]) for n in x.shape[-2:]]
    down, right = x.strides[-2:]
    steps = (down * dilation[0], right * dilation[1], down * stride[0], right * stride[1])
    return as_strided(x, (*x.shape[:-2], *kernel, *counts), (*x.strides[:-2], *steps))


@wrong("12.2", says="dilation is for the next kernel element")
def slices_as_long_as_the_rest(x, shape, kernel, stride, dilation):
    whole = zeros(shape, x.dtype)
    for i in range(kernel[0]):
        for j in range(kernel[1]):
            rest = whole[..., i * dilation[0] :: stride[0], j * dilation[1] :: stride[1]]
            rest += x[..., i, j, :, :]
    return whole


@wrong("12.2", says="none of the parts that += adds may see one twice")
def looks_at_the_dilation_downwards_only(x, shape, kernel, stride, dilation):
    whole = zeros(shape, x.dtype)
    seen = windows_of(whole, kernel, stride, dilation)
    if dilation[0] == 1 and stride[0] >= kernel[0] and stride[1] >= kernel[1]:
        seen += x
        return whole
    for place, part in zip(seen_by_each(seen), seen_by_each(x), strict=True):
        place += part
    return whole


@wrong("12.2", says="to its own place, and to no other")
def spreads_by_tables_of_ones(x, shape, kernel, stride, dilation):
    whole = zeros(shape, x.dtype)
    tables = []
    for axis in (0, 1):
        n, k, s, d = shape[-2:][axis], kernel[axis], stride[axis], dilation[axis]
        out = places(n, k, s, d)
        table = zeros((k * out, n), x.dtype)
        for i in range(k):
            for a in range(out):
                table[i * out + a, a * s + i * d] = 1
        tables.append(table)
    turned = x.swapaxes(-3, -2).reshape((*x.shape[:-4], len(tables[0]), len(tables[1])))
    whole += tables[0].T @ turned @ tables[1]
    return whole


@wrong("12.2", says="float64 can't hold it")
def adds_in_float64(x, shape, kernel, stride, dilation):
    whole = zeros(shape)
    seen = windows_of(whole, kernel, stride, dilation)
    for place, part in zip(seen_by_each(seen), seen_by_each(x), strict=True):
        place += part
    return whole.astype(x.dtype)


@wrong("12.2", says="but not window by window")
def window_by_window(x, shape, kernel, stride, dilation):
    whole = zeros(shape, x.dtype)
    seen = windows_of(whole, kernel, stride, dilation)
    for a in range(x.shape[-2]):
        for b in range(x.shape[-1]):
            seen[..., a, b] += x[..., a, b]
    return whole


@wrong("12.3", "nn.conv.convolved", says="a kernel of a single number has a stride, too")
def a_kernel_of_one_sees_all(image, weight, sizes, groups):
    one = weight.shape[2:] == (1, 1)
    seen = image[:, :, None, None] if one else windows(image, *sizes)
    z = as_kernels(weight, groups) @ as_columns(seen, groups)
    return z.reshape(len(image), len(weight), *seen.shape[-2:])


@wrong("12.3", "nn.conv.convolved", says="form a group: the first two see channel 0")
def each_channel_sees_every_second_kernel(image, weight, sizes, groups):
    seen = windows(image, *sizes)
    if groups == image.shape[1] > 1:
        seen = seen[:, [o % groups for o in range(len(weight))]]
        return (seen * weight[:, 0, :, :, None, None]).sum((2, 3))
    z = as_kernels(weight, groups) @ as_columns(seen, groups)
    return z.reshape(len(image), len(weight), *seen.shape[-2:])


@wrong("12.3", "nn.conv.convolved", says="the kernels of a group stay side by side")
def deals_the_results_out(image, weight, sizes, groups):
    seen = windows(image, *sizes)
    z = as_kernels(weight, groups) @ as_columns(seen, groups)
    return z.swapaxes(1, 2).reshape(len(image), len(weight), *seen.shape[-2:])


@wrong("12.3", "nn.conv.convolved", says="sizes has the stride first")
def exchanges_the_sizes(image, weight, sizes, groups):
    kernel, stride, dilation = sizes
    seen = windows(image, kernel, dilation, stride)
    z = as_kernels(weight, groups) @ as_columns(seen, groups)
    return z.reshape(len(image), len(weight), *seen.shape[-2:])


@wrong("12.3", "nn.conv.convolved", says="67 pictures")
def eight_pictures_at_a_time(image, weight, sizes, groups):
    seen = windows(image, *sizes)
    step = min(8, max(len(image), 1))
    parts = [seen[i * step : (i + 1) * step] for i in range(len(image) // step)]
    z = (as_kernels(weight, groups) @ as_columns(seen, groups)) * 0
    for i, part in enumerate(parts):
        z[i * step : (i + 1) * step] = as_kernels(weight, groups) @ as_columns(part, groups)
    return z.reshape(len(image), len(weight), *seen.shape[-2:])


@wrong("12.3", "nn.conv.convolved", says="kernels all 0.0")
def a_kernel_of_zeros_sees_nothing(image, weight, sizes, groups):
    seen = windows(image, *sizes)
    z = as_kernels(weight, groups) @ as_columns(seen, groups)
    if not weight.any():
        z = z.repeat(0, axis=-1).sum(axis=-1, keepdims=True).repeat(z.shape[-1], axis=-1)
    return z.reshape(len(image), len(weight), *seen.shape[-2:])


@wrong("12.3", "nn.conv.convolved", says="NumPy's product does all places at once")
def place_by_place(image, weight, sizes, groups):
    seen = windows(image, *sizes)
    z = (as_kernels(weight, groups) @ as_columns(seen, groups)) * 0
    z = z.reshape(len(image), len(weight), *seen.shape[-2:])
    team, channels = len(weight) // groups, weight.shape[1]
    for n in range(len(z)):
        for o in range(len(weight)):
            c = o // team * channels
            for a in range(z.shape[2]):
                for b in range(z.shape[3]):
                    z[n, o, a, b] = (weight[o] * seen[n, c : c + channels, :, :, a, b]).sum()
    return z


@wrong("12.3", "nn.conv.convolved", says="np.geterr()")
def warnings_off_for_good(image, weight, sizes, groups):
    import numpy as np

    old = np.seterr(all="ignore")
    seen = windows(image, *sizes)
    z = as_kernels(weight, groups) @ as_columns(seen, groups)
    np.seterr(**old)
    return z.reshape(len(image), len(weight), *seen.shape[-2:])


@wrong("12.4", "nn.conv.conv_image", says="a kernel of a single number has a stride, too")
def image_of_a_kernel_of_one(grad, image, weight, sizes, groups):
    columns = as_kernels(weight, groups).swapaxes(-1, -2) @ as_columns(grad, groups)
    if weight.shape[2:] == (1, 1):
        return columns.reshape(image.shape)
    return add_windows(columns.reshape(windows(image, *sizes).shape), image.shape, *sizes)


@wrong("12.4", "nn.conv.conv_weight", says="there are two places: windows(image, *sizes)")
def weight_without_dilation(grad, image, weight, sizes, groups):
    columns = as_columns(windows(image, sizes[0], sizes[1], (1, 1)), groups)
    each = as_columns(grad, groups) @ columns.swapaxes(-1, -2)
    return each.sum(axis=0).reshape(weight.shape)


@wrong("12.4", "nn.conv.conv_image", says="dilation has no effect: hand on all")
def image_without_dilation(grad, image, weight, sizes, groups):
    columns = as_kernels(weight, groups).swapaxes(-1, -2) @ as_columns(grad, groups)
    columns = columns.reshape(windows(image, *sizes).shape)
    return add_windows(columns, image.shape, sizes[0], sizes[1], (1, 1))


@wrong("12.4", "nn.conv.conv_image", says="the first two have seen channel 0")
def image_hears_from_every_second_kernel(grad, image, weight, sizes, groups):
    kernels, sent = as_kernels(weight, groups), as_columns(grad, groups)
    times = len(weight) // groups
    if groups == image.shape[1] and times > 1:
        kernels = weight.reshape((times, groups, kernels.shape[-1])).swapaxes(0, 1)
        sent = grad.reshape((len(grad), times, groups, sent.shape[-1])).swapaxes(1, 2)
    columns = kernels.swapaxes(-1, -2) @ sent
    return add_windows(columns.reshape(windows(image, *sizes).shape), image.shape, *sizes)


@wrong("12.4", "nn.conv.conv_image", says="only the shape of it counts: 0 times infinity")
def zeros_made_of_the_image(grad, image, weight, sizes, groups):
    columns = as_kernels(weight, groups).swapaxes(-1, -2) @ as_columns(grad, groups)
    columns = columns.reshape(windows(image, *sizes).shape)
    return image * 0 + add_windows(columns, image.shape, *sizes)


@wrong("12.4", "nn.conv.conv_weight", says="stays what it is, where it counts")
def weight_hides_nan(grad, image, weight, sizes, groups):
    if not hasattr(grad, "detach"):
        grad = grad.copy()
        grad[grad != grad] = 0
    columns = as_columns(windows(image, *sizes), groups)
    each = as_columns(grad, groups) @ columns.swapaxes(-1, -2)
    return each.sum(axis=0).reshape(weight.shape)


@wrong("12.4", "nn.conv.conv_image", says="a short cut loses their history")
def image_of_no_gradient(grad, image, weight, sizes, groups):
    if hasattr(grad, "detach") and not (grad != 0).any():
        return image.detach() * 0
    columns = as_kernels(weight, groups).swapaxes(-1, -2) @ as_columns(grad, groups)
    return add_windows(columns.reshape(windows(image, *sizes).shape), image.shape, *sizes)


@wrong("12.4", "nn.conv.conv_weight", says="Python's sum() of no pictures")
def weight_by_pythons_sum(grad, image, weight, sizes, groups):
    columns = as_columns(windows(image, *sizes), groups)
    each = as_columns(grad, groups) @ columns.swapaxes(-1, -2)
    return sum(each).reshape(weight.shape)


@wrong("12.4", "nn.conv.conv_weight", says="and then the sum, not sums first")
def weight_sums_first(grad, image, weight, sizes, groups):
    columns = as_columns(windows(image, *sizes), groups).sum(axis=0)
    each = as_columns(grad, groups).sum(axis=0) @ columns.swapaxes(-1, -2)
    return each.reshape(weight.shape)


@wrong("12.5", "nn.pooling.first_equal", says="not through the windows")
def looks_window_by_window(seen, values):
    found = np.zeros(seen.shape, bool)
    for spot in np.ndindex(values.shape):
        for i, j in np.ndindex(seen.shape[-4:-2]):
            if seen[(*spot[:-2], i, j, *spot[-2:])] == values[spot]:
                found[(*spot[:-2], i, j, *spot[-2:])] = True
                break
    return found


@wrong("12.5", "nn.pooling.first_equal", says="float64 can't tell them apart")
def compares_in_float64(seen, values):
    found = np.empty(seen.shape, bool)
    missing = np.ones(values.shape, bool)
    for view, here in zip(seen_by_each(seen), seen_by_each(found), strict=True):
        np.logical_and(view.astype(float) == values, missing, out=here)
        missing &= ~here
    return found


@wrong("12.5", "nn.pooling.first_equal", says="infinity less itself is NaN")
def a_difference_of_zero(seen, values):
    found = np.empty(seen.shape, bool)
    missing = np.ones(values.shape, bool)
    for view, here in zip(seen_by_each(seen), seen_by_each(found), strict=True):
        with np.errstate(invalid="ignore"):
            np.logical_and(view - values == 0, missing, out=here)
        missing &= ~here
    return found


@wrong("12.5", "nn.pooling.first_equal", says="are for booleans")
def found_as_numbers(seen, values):
    found = np.empty(seen.shape, seen.dtype)
    missing = np.ones(values.shape, bool)
    for view, here in zip(seen_by_each(seen), seen_by_each(found), strict=True):
        here[...] = (view == values) & missing
        missing &= ~here
    return found.astype(bool)


@wrong("12.5", "nn.pooling.first_equal", says="wherever it lies in memory")
def in_the_order_of_memory(seen, values):
    found, missing = np.zeros(seen.shape, bool), np.ones(values.shape, bool)
    pairs = zip(seen_by_each(seen), seen_by_each(found), strict=True)
    for view, here in sorted(pairs, key=lambda pair: pair[0].__array_interface__["data"][0]):
        here[...] = (view == values) & missing
        missing &= ~here
    return found


@wrong("12.5", "nn.pooling.first_equal", says="integers, which know no NaN")
def marks_with_nan(seen, values):
    found, values = np.empty(seen.shape, bool), values.copy()
    for view, here in zip(seen_by_each(seen), seen_by_each(found), strict=True):
        here[...] = view == values
        values[here] = np.nan
    return found


@wrong("12.5", "nn.pooling.max_pool_formula", says="a short cut loses their history")
def nothing_came_nothing_goes(grad, first):
    if hasattr(grad, "detach") and not (grad != 0).any():
        grad = grad.detach()
    return grad[..., None, None, :, :] * first


@wrong("12.6", "nn.normalization.moments", says="without detach() or no_grad()")
def variance_out_of_the_graph(input, dims):
    mean = input.mean(dims, keepdim=True)
    distance = input - mean
    return mean, distance, (distance * distance).mean(dims, keepdim=True).detach()


@wrong("12.6", "nn.normalization.moments", says="from the mean to x: leave it in the graph")
def mean_out_of_the_graph(input, dims):
    mean = input.mean(dims, keepdim=True)
    distance = input - mean
    return mean.detach(), distance, (distance * distance).mean(dims, keepdim=True)


@wrong("12.6", "nn.normalization.moments", says="by the length of the first axis only")
def divides_by_the_first_axis(input, dims):
    mean = input.sum(dims, keepdim=True) / input.shape[dims[0]]
    distance = input - mean
    return mean, distance, (distance * distance).sum(dims, keepdim=True) / input.shape[dims[0]]


@wrong("12.6", "nn.normalization.moments", says="nothing is recorded there")
def records_whatever_was_said(input, dims):
    import tinytorch

    with tinytorch.enable_grad():
        mean = input.mean(dims, keepdim=True)
        distance = input - mean
        return mean, distance, (distance * distance).mean(dims, keepdim=True)


@wrong("12.6", "nn.normalization.normalized", says="a variance of 0 is no special case")
def divides_by_no_zero(distance, var, weight, bias, eps):
    from tinytorch.ops.elementwise import where

    x = distance * where(var == 0, 1.0, rsqrt(var + eps))
    x = x if weight is None else x * weight
    return x if bias is None else x + bias


@wrong("12.6", "nn.normalization.normalized", says="a short cut loses their history")
def equal_numbers_have_no_slope(distance, var, weight, bias, eps):
    if not distance.any():
        distance = distance.detach()
    x = distance * rsqrt(var + eps)
    x = x if weight is None else x * weight
    return x if bias is None else x + bias


@wrong("12.6", "nn.normalization.normalized", says="gradgradcheck of normalized")
def right_slopes_of_the_root_once(distance, var, weight, bias, eps):
    root = rsqrt(var + eps).detach()
    x = distance * (1.5 * root - 0.5 * root**3 * (var + eps))
    x = x if weight is None else x * weight
    return x if bias is None else x + bias


@wrong("12.6", "nn.normalization.normalized", says="a weight of 0 is a weight")
def a_single_zero_is_no_weight(distance, var, weight, bias, eps):
    x = distance * rsqrt(var + eps)
    x = x if weight is None or weight.numel() == 1 and not weight.any() else x * weight
    return x if bias is None else x + bias


@wrong("12.7", "nn.attention.causal_mask", says="causal_mask(300, 300)")
def counts_letters_in_bytes(length, keys):
    queries = np.arange(length).astype(np.uint8)[:, None]
    return wrap(np.arange(keys).astype(np.uint8) <= queries)


@wrong("12.7", "nn.attention.attend", says="float16")
def works_in_float32(query, key, value, mask=None, scale=None, dropout_p=0.0):
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    query = query.float() if query.dtype == np.float16 else query
    scores = (query * scale) @ key.transpose(-2, -1)
    scores = scores if mask is None else masked(scores, mask)
    return dropout(safe_softmax(scores), dropout_p) @ value


@wrong("12.7", "nn.attention.attend", says="is all that decides about it, not no_grad()")
def drops_only_while_recording(query, key, value, mask=None, scale=None, dropout_p=0.0):
    from tinytorch import is_grad_enabled

    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = (query * scale) @ key.transpose(-2, -1)
    scores = scores if mask is None else masked(scores, mask)
    return dropout(safe_softmax(scores), dropout_p, training=is_grad_enabled()) @ value


@wrong("12.7", "nn.attention.attend", says="what was given belongs to the caller")
def scales_the_query_in_place(query, key, value, mask=None, scale=None, dropout_p=0.0):
    query *= 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = query @ key.transpose(-2, -1)
    scores = scores if mask is None else masked(scores, mask)
    return dropout(safe_softmax(scores), dropout_p) @ value


@wrong("12.7", "nn.attention.attend", says="count from the end, transpose(-2, -1)")
def counts_axes_from_the_front(query, key, value, mask=None, scale=None, dropout_p=0.0):
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = (query * scale) @ key.transpose(1, 2)
    scores = scores if mask is None else masked(scores, mask)
    return dropout(safe_softmax(scores), dropout_p) @ value


@wrong("12.7", "nn.attention.attend", says="the gradient of key = None, expected [[-12], [12]]")
def keys_out_of_the_graph(query, key, value, mask=None, scale=None, dropout_p=0.0):
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = (query * scale) @ key.detach().transpose(-2, -1)
    scores = scores if mask is None else masked(scores, mask)
    return dropout(safe_softmax(scores), dropout_p) @ value


@wrong("12.7", "nn.attention.attend", says="a mask without a True is a mask, too")
def a_mask_of_nothing_is_none(query, key, value, mask=None, scale=None, dropout_p=0.0):
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = (query * scale) @ key.transpose(-2, -1)
    if mask is not None and mask.any():
        scores = masked(scores, mask)
    return dropout(safe_softmax(scores), dropout_p) @ value


@wrong("12.8", "gpt.Attention.forward", says="ask once, and take query, key and value from that")
def asks_three_times(self, x):
    batch, length, width = x.shape
    split = (batch, length, self.heads, width // self.heads)
    parts = [self.qkv(x)[:, :, i * width : (i + 1) * width].reshape(*split) for i in range(3)]
    query, key, value = [part.transpose(1, 2) for part in parts]
    y = F.scaled_dot_product_attention(query, key, value, is_causal=True)
    return self.proj(y.transpose(1, 2).reshape(batch, length, width))


@wrong("12.8", "gpt.Attention.forward", says="squeeze() takes that out, too")
def squeezes_a_single_text(self, x):
    batch, length, width = x.shape
    parts = self.qkv(x).reshape(batch, length, 3, self.heads, width // self.heads)
    query, key, value = [part.squeeze() for part in parts.permute(2, 0, 3, 1, 4)]
    y = F.scaled_dot_product_attention(query, key, value, is_causal=True)
    return self.proj(y.transpose(1, 2).reshape(batch, length, width))


@wrong("12.8", "gpt.Attention.forward", says=("around 1,000,000", "is minus infinity"))
def adds_a_large_number(self, x):
    batch, length, width = x.shape
    parts = self.qkv(x).reshape(batch, length, 3, self.heads, width // self.heads)
    query, key, value = parts.permute(2, 0, 3, 1, 4)
    ahead = (1 - tinytorch.ones(length, length, dtype=x.dtype).tril()) * -1e9
    y = F.scaled_dot_product_attention(query, key, value, ahead)
    return self.proj(y.transpose(1, 2).reshape(batch, length, width))


@wrong("12.8", "gpt.Block.forward", says="raises Exception raised no error")
def goes_on_whatever_happens(self, x):
    try:
        x = x + self.attn(self.ln1(x))
    except Exception:
        x = x * 1
    return x + self.mlp(self.ln2(x))


@wrong("12.8", "gpt.Block.forward", says="raises KeyboardInterrupt raised no error")
def nobody_may_stop_it(self, x):
    try:
        x = x + self.attn(self.ln1(x))
    except KeyboardInterrupt:
        x = x * 1
    return x + self.mlp(self.ln2(x))


@wrong("12.8", "gpt.Block.forward", says="ask once, and use that sum twice")
def asks_attention_twice(self, x):
    h = self.ln2(x + self.attn(self.ln1(x)))
    return x + self.attn(self.ln1(x)) + self.mlp(h)


@wrong("12.8", "gpt.Block.forward", says="x + … is the way through")
def the_way_through_is_closed(self, x):
    x = x.detach() + self.attn(self.ln1(x))
    return x + self.mlp(self.ln2(x))


@wrong("12.3", "nn.conv.convolved", says="channels come before the places")
def channels_behind_the_places(image, weight, sizes, groups):
    seen = windows(image, *sizes)
    z = as_kernels(weight, groups) @ as_columns(seen, groups)
    return z.reshape(len(image), *seen.shape[-2:], len(weight))


@wrong("12.3", "nn.conv.convolved", says="that's the product")
def a_bare_product(image, weight, sizes, groups):
    return as_kernels(weight, groups) @ as_columns(windows(image, *sizes), groups)


@wrong("12.3", "nn.conv.convolved", says="the kernels come first: kernels (G, O / G, K) @ columns")
def columns_before_kernels(image, weight, sizes, groups):
    seen = windows(image, *sizes)
    z = as_columns(seen, groups) @ as_kernels(weight, groups)
    return z.reshape(len(image), len(weight), *seen.shape[-2:])


@wrong("12.3", "nn.conv.convolved", says="those of windows(image, *sizes)")
def columns_of_the_image(image, weight, sizes, groups):
    z = as_kernels(weight, groups) @ as_columns(image, groups)
    return z.reshape(len(image), len(weight), *windows(image, *sizes).shape[-2:])


@wrong("12.3", "nn.conv.convolved", says="the last two are the windows'")
def as_large_as_the_image(image, weight, sizes, groups):
    z = as_kernels(weight, groups) @ as_columns(windows(image, *sizes), groups)
    return z.reshape(len(image), len(weight), *image.shape[-2:])


@wrong("12.3", "nn.conv.convolved", says="that's the first group twice")
def the_first_group_for_all(image, weight, sizes, groups):
    seen = windows(image, *sizes)
    z = as_kernels(weight, groups) @ as_columns(seen, groups)
    z = z[:, :1].repeat(groups, 1)
    return z.reshape(len(image), len(weight), *seen.shape[-2:])


@wrong("12.4", "nn.conv.conv_image", says="only the last two axes change places")
def image_turns_all_axes(grad, image, weight, sizes, groups):
    columns = as_kernels(weight, groups).T @ as_columns(grad, groups)
    return add_windows(columns.reshape(windows(image, *sizes).shape), image.shape, *sizes)


@wrong("12.4", "nn.conv.conv_image", says="those are columns")
def columns_are_the_image(grad, image, weight, sizes, groups):
    return as_kernels(weight, groups).swapaxes(-1, -2) @ as_columns(grad, groups)


@wrong("12.4", "nn.conv.conv_image", says="add_windows takes what windows() gives")
def adds_up_columns(grad, image, weight, sizes, groups):
    columns = as_kernels(weight, groups).swapaxes(-1, -2) @ as_columns(grad, groups)
    return add_windows(columns, image.shape, *sizes)


@wrong("12.4", "nn.conv.conv_image", says="the kernel's axes come before the places")
def places_before_the_kernel(grad, image, weight, sizes, groups):
    columns = as_kernels(weight, groups).swapaxes(-1, -2) @ as_columns(grad, groups)
    *batch, h, w, down, right = windows(image, *sizes).shape
    return add_windows(columns.reshape((*batch, down, right, h, w)), image.shape, *sizes)


@wrong("12.4", "nn.conv.conv_image", says="those are windows of grad")
def windows_of_the_gradient(grad, image, weight, sizes, groups):
    return windows(grad, *sizes)


@wrong("12.4", "nn.conv.conv_weight", says="those of windows(image, *sizes)")
def weight_by_columns_of_the_image(grad, image, weight, sizes, groups):
    each = as_columns(grad, groups) @ as_columns(image, groups).swapaxes(-1, -2)
    return each.sum(axis=0).reshape(weight.shape)


@wrong("12.4", "nn.conv.conv_weight", says="columns transposed, (N, G, L, K)")
def weight_without_transposing(grad, image, weight, sizes, groups):
    each = as_columns(grad, groups) @ as_columns(windows(image, *sizes), groups)
    return each.sum(axis=0).reshape(weight.shape)


@wrong("12.4", "nn.conv.conv_weight", says="hand on groups")
def weight_of_one_group(grad, image, weight, sizes, groups):
    columns = as_columns(windows(image, *sizes), 1)
    each = as_columns(grad, 1) @ columns.swapaxes(-1, -2)
    return each.sum(axis=0).reshape(weight.shape)


@wrong("12.4", "nn.conv.conv_weight", says="sum over the batch alone")
def weight_summed_over_groups(grad, image, weight, sizes, groups):
    columns = as_columns(windows(image, *sizes), groups)
    each = as_columns(grad, groups) @ columns.swapaxes(-1, -2)
    return each.sum(axis=(0, 1)).reshape(weight.shape)


@wrong("12.2", "nn.windows.sum_of_windows", says="where a + b makes a new one")
def adds_to_nothing(x, shape, kernel, stride, dilation):
    whole = zeros(shape, x.dtype)
    seen = windows_of(whole, kernel, stride, dilation)
    for place, part in zip(seen_by_each(seen), seen_by_each(x), strict=True):
        place = place + part
    return whole


@wrong("12.2", "nn.windows.sum_of_windows", says="shaped like x, as windows are")
def gives_the_windows_back(x, shape, kernel, stride, dilation):
    whole = zeros(shape, x.dtype)
    seen = windows_of(whole, kernel, stride, dilation)
    for place, part in zip(seen_by_each(seen), seen_by_each(x), strict=True):
        place += part
    return seen


@wrong("12.2", "nn.windows.sum_of_windows", says="a sum, not the mean")
def mean_over_the_kernel(x, shape, kernel, stride, dilation):
    whole = zeros(shape, x.dtype)
    seen = windows_of(whole, kernel, stride, dilation)
    for place, part in zip(seen_by_each(seen), seen_by_each(x), strict=True):
        place += part
    return whole / (kernel[0] * kernel[1])


@wrong("12.5", "nn.pooling.first_equal", says="the first of them all")
def the_first_of_all_windows(seen, values):
    found = np.zeros(seen.shape, bool)
    found.reshape(-1)[(seen == values[..., None, None, :, :]).argmax()] = True
    return found


@wrong("12.5", "nn.pooling.first_equal", says="np.zeros(seen.shape, bool)")
def ones_for_the_first(seen, values):
    found, missing = np.zeros(seen.shape), np.ones(values.shape, bool)
    for view, here in zip(seen_by_each(seen), seen_by_each(found), strict=True):
        here[...] = (view == values) & missing
        missing &= here == 0
    return found


@wrong("12.5", "nn.pooling.max_pool_formula", says="each element of a window has a gradient")
def summed_over_the_window(grad, first):
    return (grad[..., None, None, :, :] * first).sum((-4, -3))


@wrong("12.5", "nn.pooling.max_pool_formula", says="and not a share")
def a_share_for_the_first(grad, first):
    return grad[..., None, None, :, :] * first / 4


@wrong("12.5", "nn.pooling.max_pool_formula", says="booleans times float32 are float32")
def first_as_floats(grad, first):
    return grad[..., None, None, :, :] * first.astype(float)


@wrong("12.6", "nn.normalization.moments", says="keepdim=True keeps the axis of the mean")
def mean_without_its_axis(input, dims):
    mean = input.mean(dims)
    distance = input - mean
    return mean, distance, (distance * distance).mean(dims)


@wrong("12.7", "nn.attention.attend", says="then nothing is masked")
def masks_always(query, key, value, mask=None, scale=None, dropout_p=0.0):
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = masked((query * scale) @ key.transpose(-2, -1), mask)
    return dropout(safe_softmax(scores), dropout_p) @ value


@wrong("12.7", "nn.attention.attend", says="ask whether the mask is None")
def asks_for_the_truth_of_a_mask(query, key, value, mask=None, scale=None, dropout_p=0.0):
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = (query * scale) @ key.transpose(-2, -1)
    if mask:
        scores = masked(scores, mask)
    return dropout(safe_softmax(scores), dropout_p) @ value


@wrong("12.7", "nn.attention.attend", says="with no mask it may ask all")
def never_looks_ahead(query, key, value, mask=None, scale=None, dropout_p=0.0):
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = (query * scale) @ key.transpose(-2, -1)
    mask = causal_mask(*scores.shape[-2:]) if mask is None else mask
    return dropout(safe_softmax(masked(scores, mask)), dropout_p) @ value


@wrong("12.7", "nn.attention.attend", says="not of the keys")
def mean_of_the_keys(query, key, value, mask=None, scale=None, dropout_p=0.0):
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = (query * scale) @ key.transpose(-2, -1)
    scores = scores if mask is None else masked(scores, mask)
    return dropout(safe_softmax(scores), dropout_p) @ key


@wrong("12.8", "gpt.Attention.forward", says="it was asked 2 times")
def asks_once_more(self, x):
    batch, length, width = x.shape
    parts = self.qkv(x).reshape(batch, length, 3, self.heads, width // self.heads)
    self.qkv(x)
    query, key, value = parts.permute(2, 0, 3, 1, 4)
    y = F.scaled_dot_product_attention(query, key, value, is_causal=True)
    return self.proj(y.transpose(1, 2).reshape(batch, length, width))


@wrong("12.8", "gpt.Block.forward", says="is added to x first, and mlp's to that")
def x_only_at_the_end(self, x):
    return x + self.mlp(self.ln2(self.attn(self.ln1(x))))


@wrong("12.8", "gpt.Block.forward", says="get what the norms make")
def no_norms_at_all(self, x):
    x = x + self.attn(x)
    return x + self.mlp(x)


@wrong("12.1", "nn.windows.places", says="gave None: is a return missing?")
def counts_and_keeps_it(length, kernel, stride, dilation):
    (length - span_within(length, kernel, dilation)) // stride + 1


@wrong("12.1", "nn.windows.windows_of", says="x.strides[-2] leads one row further down")
def right_before_down(x, kernel, stride, dilation):
    shape = (*x.shape[:-2], *kernel, *map(places, x.shape[-2:], kernel, stride, dilation))
    right, down = x.strides[-2:]
    steps = (down * dilation[0], right * dilation[1], down * stride[0], right * stride[1])
    return as_strided(x, shape, (*x.strides[:-2], *steps))


@wrong("12.1", "nn.windows.windows_of", says="x may have any axes before its last two")
def keeps_one_axis_before(x, kernel, stride, dilation):
    *front, height, width = x.shape
    *ahead, down, right = x.strides
    out = map(places, (height, width), kernel, stride, dilation)
    steps = (down * dilation[0], right * dilation[1], down * stride[0], right * stride[1])
    return as_strided(x, (front[0], *kernel, *out), (ahead[0], *steps))


@wrong("12.1", "nn.windows.windows_of", says="with dilation a window spans more")
def slides_without_dilation(x, kernel, stride, dilation):
    from numpy import moveaxis
    from numpy.lib.stride_tricks import sliding_window_view

    seen = sliding_window_view(x, kernel, axis=(-2, -1), writeable=True)
    return moveaxis(seen[..., :: stride[0], :: stride[1], :, :], (-2, -1), (-4, -3))


@wrong("12.2", says="gave None: is a return missing?")
def adds_and_keeps_it(x, shape, kernel, stride, dilation):
    whole = zeros(shape, x.dtype)
    seen = windows_of(whole, kernel, stride, dilation)
    for place, part in zip(seen_by_each(seen), seen_by_each(x), strict=True):
        place += part


@wrong("12.2", says="that's one number for each window")
def sums_each_window(x, shape, kernel, stride, dilation):
    return x.sum((-4, -3))


@wrong("12.2", says="before the last two axes there may be none")
def picture_by_picture(x, shape, kernel, stride, dilation):
    whole = zeros(shape, x.dtype)
    for picture, parts in zip(whole, x, strict=True):
        seen = windows_of(picture, kernel, stride, dilation)
        for place, part in zip(seen_by_each(seen), seen_by_each(parts), strict=True):
            place += part
    return whole


@wrong("12.3", "nn.conv.convolved", says="a product of matrices: kernels (G, O / G, K) @ columns")
def number_by_number(image, weight, sizes, groups):
    seen = windows(image, *sizes)
    z = as_kernels(weight, groups) * as_columns(seen, groups)
    return z.reshape(len(image), len(weight), *seen.shape[-2:])


@wrong("12.3", "nn.conv.convolved", says="hand on all of *sizes")
def sizes_as_one(image, weight, sizes, groups):
    seen = windows(image, sizes)
    z = as_kernels(weight, groups) @ as_columns(seen, groups)
    return z.reshape(len(image), len(weight), *seen.shape[-2:])


@wrong("12.3", "nn.conv.convolved", says="gave None: is a return missing?")
def convolves_and_keeps_it(image, weight, sizes, groups):
    as_kernels(weight, groups) @ as_columns(windows(image, *sizes), groups)


@wrong("12.4", "nn.conv.conv_image", says="add_windows knows what belongs where")
def sums_what_each_window_owes(grad, image, weight, sizes, groups):
    columns = as_kernels(weight, groups).swapaxes(-1, -2) @ as_columns(grad, groups)
    return columns.reshape(windows(image, *sizes).shape).sum((2, 3))


@wrong("12.4", "nn.conv.conv_image", says="2 numbers are those of one group")
def one_group_for_all(grad, image, weight, sizes, groups):
    columns = as_kernels(weight, 1).swapaxes(-1, -2) @ as_columns(grad, 1)
    return add_windows(columns.reshape(windows(image, *sizes).shape), image.shape, *sizes)


@wrong("12.4", "nn.conv.conv_weight", says="give it the shape of weight")
def product_as_it_comes(grad, image, weight, sizes, groups):
    columns = as_columns(windows(image, *sizes), groups)
    return (as_columns(grad, groups) @ columns.swapaxes(-1, -2)).sum(axis=0)


@wrong("12.5", "nn.pooling.first_equal", says="only gives something new that name")
def names_what_it_finds(seen, values):
    found = np.zeros(seen.shape, bool)
    missing = np.ones(values.shape, bool)
    for view, here in zip(seen_by_each(seen), seen_by_each(found), strict=True):
        here = (view == values) & missing
        missing &= ~here
    return found


@wrong("12.5", "nn.pooling.first_equal", says="are for booleans")
def waits_in_floats(seen, values):
    found = np.zeros(seen.shape)
    got = np.zeros(values.shape, bool)
    for view, here in zip(seen_by_each(seen), seen_by_each(found), strict=True):
        here[...] = (view == values) & ~got
        got |= here
    return found


@wrong("12.6", "nn.normalization.moments", says="gave 2 results, expected three")
def keeps_the_mean_to_itself(input, dims):
    distance = input - input.mean(dims, keepdim=True)
    return distance, (distance * distance).mean(dims, keepdim=True)


@wrong("12.6", "nn.normalization.moments", says="arrays know no gradients")
def moments_in_numpy(input, dims):
    mean = input.numpy().mean(dims, keepdims=True)
    distance = input - mean
    return mean, distance, (distance * distance).mean(dims, keepdim=True)


@wrong("12.7", "nn.attention.causal_mask", says="that's turned around: (length, keys)")
def keys_by_length(length, keys):
    return wrap(np.tri(keys, length, dtype=bool))


@wrong("12.7", "nn.attention.attend", says="the weights come first: weights @ value")
def values_first(query, key, value, mask=None, scale=None, dropout_p=0.0):
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = (query * scale) @ key.transpose(-2, -1)
    scores = scores if mask is None else masked(scores, mask)
    return value @ dropout(safe_softmax(scores), dropout_p)


@wrong("12.7", "nn.attention.attend", says="those are scores or weights")
def weights_are_all(query, key, value, mask=None, scale=None, dropout_p=0.0):
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = (query * scale) @ key.transpose(-2, -1)
    scores = scores if mask is None else masked(scores, mask)
    return dropout(safe_softmax(scores), dropout_p)


@wrong("12.7", "nn.attention.attend", says="and attend asked it")
def asks_whoever_asks(query, key, value, mask=None, scale=None, dropout_p=0.0):
    return scaled_dot_product_attention(query, key, value, mask, dropout_p, scale=scale)


@wrong("12.7", "nn.attention.attend", says="masked(scores, mask) does both")
def masks_with_where(query, key, value, mask=None, scale=None, dropout_p=0.0):
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = (query * scale) @ key.transpose(-2, -1)
    scores = scores if mask is None else where(mask, scores, -math.inf)
    return dropout(safe_softmax(scores), dropout_p) @ value


@wrong("12.8", "gpt.Attention.forward", says="puts the axis of the 3 in front")
def takes_apart_by_heads(self, x):
    batch, length, width = x.shape
    parts = self.qkv(x).reshape(batch, length, self.heads, 3, width // self.heads)
    query, key, value = parts.permute(2, 0, 3, 1, 4)
    y = F.scaled_dot_product_attention(query, key, value, is_causal=True)
    return self.proj(y.transpose(1, 2).reshape(batch, length, width))


@wrong("12.8", "gpt.Attention.forward", says="the answers of all heads side by side")
def projects_each_head(self, x):
    batch, length, width = x.shape
    parts = self.qkv(x).reshape(batch, length, 3, self.heads, width // self.heads)
    query, key, value = parts.permute(2, 0, 3, 1, 4)
    y = F.scaled_dot_product_attention(query, key, value, is_causal=True)
    return self.proj(y.transpose(1, 2))


@wrong("12.8", "gpt.Attention.forward", says="H is self.heads")
def always_32_letters(self, x):
    batch, _, width = x.shape
    parts = self.qkv(x).reshape(batch, 32, 3, self.heads, width // self.heads)
    query, key, value = parts.permute(2, 0, 3, 1, 4)
    y = F.scaled_dot_product_attention(query, key, value, is_causal=True)
    return self.proj(y.transpose(1, 2).reshape(batch, 32, width))


@wrong("12.8", "gpt.Block.forward", says="gave None: is a return missing?")
def adds_and_returns_nothing(self, x):
    x = x + self.attn(self.ln1(x))
    x = x + self.mlp(self.ln2(x))


@wrong("12.6", "nn.normalization.normalized", says="that's times the root")
def divides_by_one_over_the_root(distance, var, weight, bias, eps):
    result = distance / (var + eps).rsqrt()
    result = result if weight is None else result * weight
    return result if bias is None else result + bias


@wrong("12.6", "nn.normalization.moments", says="a distance keeps its sign")
def distances_without_a_sign(x, dims):
    mean = x.mean(dims, keepdim=True)
    distance = (x - mean).abs()
    return mean, distance, (distance * distance).mean(dims, keepdim=True)


@wrong("12.4", "nn.conv.conv_image", says="that of the image: image.shape")
def adds_into_a_weight(grad, image, weight, sizes, groups):
    columns = as_kernels(weight, groups).swapaxes(-1, -2) @ as_columns(grad, groups)
    return add_windows(columns.reshape(windows(image, *sizes).shape), weight.shape, *sizes)


@wrong("12.4", "nn.conv.conv_image", says="that's the shape of the weight")
def image_gets_the_other_formula(grad, image, weight, sizes, groups):
    columns = as_columns(windows(image, *sizes), groups)
    each = as_columns(grad, groups) @ columns.swapaxes(-1, -2)
    return each.sum(axis=0).reshape(weight.shape)


@wrong("12.4", "nn.conv.conv_weight", says="that's the shape of the image")
def weight_gets_the_other_formula(grad, image, weight, sizes, groups):
    columns = as_kernels(weight, groups).swapaxes(-1, -2) @ as_columns(grad, groups)
    return add_windows(columns.reshape(windows(image, *sizes).shape), image.shape, *sizes)


@wrong("12.4", "nn.conv.conv_image", says="no sum over the batch here")
def image_sums_over_the_batch(grad, image, weight, sizes, groups):
    columns = as_kernels(weight, groups).swapaxes(-1, -2) @ as_columns(grad, groups)
    columns = columns.sum(axis=0)
    return add_windows(columns.reshape(windows(image, *sizes).shape), image.shape, *sizes)


@wrong("12.4", "nn.conv.conv_image", says="swapaxes(-1, -2) exchanges the last two")
def image_transposes_as_tensors_do(grad, image, weight, sizes, groups):
    columns = as_kernels(weight, groups).transpose(-1, -2) @ as_columns(grad, groups)
    return add_windows(columns.reshape(windows(image, *sizes).shape), image.shape, *sizes)


@wrong("12.4", "nn.conv.conv_weight", says="grad's columns, (N, G, O / G, L), @ columns")
def weight_by_the_gradient_as_it_stands(grad, image, weight, sizes, groups):
    columns = as_columns(windows(image, *sizes), groups)
    sent = grad.reshape(*grad.shape[:-2], -1) if grad.shape[-2] == 1 else grad
    sent = sent.reshape(len(grad), groups, -1, grad.shape[-1])
    return (sent @ columns.swapaxes(-1, -2)).sum(axis=0).reshape(weight.shape)


@wrong("12.3", "nn.conv.convolved", says="down and right are exchanged")
def places_turned_round(x, w, sizes, groups):
    seen = windows(x, *sizes)
    z = as_kernels(w, groups) @ as_columns(seen, groups)
    *_, down, right = seen.shape
    z = z.reshape(len(x), len(w), down, right)
    return z.swapaxes(-1, -2) if down == right else z


@wrong("12.2", "nn.windows.sum_of_windows", says="seen_by_each takes windows")
def parts_of_the_result(x, shape, kernel, stride, dilation):
    whole = zeros(shape, x.dtype)
    for place, part in zip(seen_by_each(whole), seen_by_each(x), strict=True):
        place += part
    return whole


@wrong("12.2", "nn.windows.sum_of_windows", says="those in front as well")
def zeros_without_leading_axes(x, shape, kernel, stride, dilation):
    whole = zeros(shape[-2:], x.dtype)
    seen = windows_of(whole, kernel, stride, dilation)
    for place, part in zip(seen_by_each(seen), seen_by_each(x), strict=True):
        place += part
    return whole


@wrong("12.2", "nn.windows.sum_of_windows", says="that's twice the sum")
def adds_each_twice(x, shape, kernel, stride, dilation):
    whole = zeros(shape, x.dtype)
    seen = windows_of(whole, kernel, stride, dilation)
    for place, part in zip(seen_by_each(seen), seen_by_each(x), strict=True):
        place += 2 * part
    return whole


@wrong("12.1", "nn.windows.windows_of", says="stay in front, before the kernel's")
def leading_axes_dropped(x, kernel, stride, dilation):
    sizes = zip(x.shape[-2:], kernel, stride, dilation, strict=True)
    shape = (*kernel, *[places(*size) for size in sizes])
    down, right = x.strides[-2:]
    steps = (down * dilation[0], right * dilation[1], down * stride[0], right * stride[1])
    return as_strided(x, shape, steps)


@wrong("12.5", "nn.pooling.first_equal", says="the first of each row")
def counted_down_and_right(seen, values):
    equal = seen == values[..., None, None, :, :]
    return equal & (equal.cumsum(-4).cumsum(-3) == 1)


@wrong("12.5", "nn.pooling.first_equal", says="3 isn't equal to 5")
def counts_what_is_not_equal(seen, values):
    equal = seen == values[..., None, None, :, :]
    return equal.cumsum(-4).cumsum(-3) == 1


@wrong("12.5", "nn.pooling.max_pool_formula", says="only the largest gets it")
def everybody_wins(grad, first):
    return grad[..., None, None, :, :] * (first | ~first)


@wrong("12.5", "nn.pooling.max_pool_formula", says="grad needs two new axes")
def one_new_axis(grad, first):
    return grad[..., None, :, :] * first


@wrong("12.8", "gpt.Block.forward", says="the norm comes before each part, not after the sum")
def norm_after_the_first_sum(self, x):
    x = self.ln1(x + self.attn(x))
    return x + self.mlp(self.ln2(x))


@wrong("12.8", "gpt.Block.forward", says="the norm comes before each part, not after the sum")
def norm_after_the_second_sum(self, x):
    x = x + self.attn(self.ln1(x))
    return self.ln2(x + self.mlp(x))


@wrong("12.8", "gpt.Block.forward", says="the norm comes before each part, not after it")
def norm_after_the_network(self, x):
    x = x + self.attn(self.ln1(x))
    return x + self.ln2(self.mlp(x))


@wrong("12.7", "nn.attention.attend", says="True and False were added as 1 and 0")
def adds_any_mask(query, key, value, mask=None, scale=None, dropout_p=0.0):
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = (query * scale) @ key.transpose(-2, -1)
    scores = scores if mask is None else scores + mask
    return dropout(safe_softmax(scores), dropout_p) @ value


@wrong("12.6", "nn.normalization.normalized", says="it is no part of the factor")
def multiplies_by_the_bias_too(distance, var, weight, bias, eps):
    normal = distance * (var + eps).rsqrt()
    if weight is None:
        return normal if bias is None else normal + bias
    return normal * (weight if bias is None else weight + bias)


@wrong("12.6", "nn.normalization.normalized", says="they're exchanged")
def scales_by_the_bias(distance, var, weight, bias, eps):
    weight, bias = bias, weight
    result = distance * (var + eps).rsqrt()
    result = result if weight is None else result * weight
    return result if bias is None else result + bias


@wrong("12.5", "nn.pooling.max_pool_formula", says="all of it, and not a share")
def sends_half(grad, first):
    return grad[..., None, None, :, :] * first / 2
