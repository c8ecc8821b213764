"""Convolutions, their gradients, and transposed convolutions."""
import jax

from .family import FLOATS, data, family

CHANNELS = [1, 2, 3, 4, 5, 8, 12, 16, 17, 31, 32, 33, 64, 96]
STEPS = {
    'image': [7, 8, 13, 14, 15, 28, 32, 33, 56, 64], 'channels': CHANNELS, 'features': CHANNELS,
    'kernel': [1, 2, 3, 4, 5, 7, 9, 11, 16],
    'stride': [1, 2, 3, 4, 8], 'dilation': [1, 2, 3], 'groups': [1, 2, 4, 8, 16, 32, 64], 'batch': [1, 2, 3, 8],
    'layout': ['NHWC', 'NCHW'], 'dtype': FLOATS + ['s8', 's32', 'c64'],
}
BASES = [
    {'image': 28, 'channels': 64, 'features': 64, 'kernel': 3},
    {'image': 112, 'channels': 3, 'features': 32, 'kernel': 3, 'stride': 2},
    {'image': 28, 'channels': 32, 'features': 32, 'kernel': 3, 'groups': 32},
    {'image': 14, 'channels': 96, 'features': 64, 'kernel': 1},
    {'image': 256, 'channels': 1, 'features': 1, 'kernel': 5},
    {'image': 224, 'channels': 3, 'features': 96, 'kernel': 16, 'stride': 16},
    {'image': 28, 'channels': 32, 'features': 32, 'kernel': 3, 'layout': 'NCHW'},
]


def convolution(image, channels, features, kernel, stride, dilation, groups, batch, layout, dtype):
    """The function and its arguments, or None where groups do not divide channels or the kernel is larger than the image."""
    if channels % groups or features % groups or (kernel - 1) * dilation >= image:
        return None
    x, w = (batch, image, image, channels), (kernel, kernel, channels // groups, features)
    names = ('NHWC', 'HWIO', 'NHWC')
    if layout == 'NCHW':
        x, w, names = (batch, channels, image, image), (features, channels // groups, kernel, kernel), ('NCHW', 'OIHW', 'NCHW')
    result = {'s8': 'int32'}.get(dtype)

    def convolve(x, w):
        return jax.lax.conv_general_dilated(
            x, w, (stride, stride), 'SAME' if stride < kernel or kernel == 1 else 'VALID', rhs_dilation=(dilation, dilation),
            dimension_numbers=names, feature_group_count=groups, preferred_element_type=result)
    return convolve, data(dtype, *x), data(dtype, *w)


def gradient(which, at):
    made = None if at['dtype'][0] == 's' else convolution(**at)
    if made is None:
        return None
    convolve, x, w = made
    y = jax.eval_shape(convolve, x.spec, w.spec)
    if not y.size:
        return None
    return lambda x, w, g: jax.vjp(convolve, x, w)[1](g)[which], x, w, data(at['dtype'], *y.shape)


@family(steps=STEPS, bases=BASES)
def convolution_(**at):
    return convolution(**at)


@family(steps=STEPS, bases=BASES[:6])
def image_gradient(**at):
    return gradient(0, at)


@family(steps=STEPS, bases=BASES[:6])
def filter_gradient(**at):
    return gradient(1, at)


@family(
    steps={
        'length': [7, 14, 32, 33, 100, 101], 'rank': [1, 2], 'channels': CHANNELS, 'features': CHANNELS,
        'kernel': [1, 2, 3, 4, 5, 8, 9, 16, 28, 32, 64, 100, 256, 257, 1024], 'stride': [1, 2, 3, 4, 5, 8, 16, 28, 32, 64, 256],
        'dtype': FLOATS + ['c64'],
    },
    bases=[
        {'length': 14, 'rank': 2, 'channels': 32, 'features': 32, 'kernel': 4, 'stride': 2},
        {'length': 7, 'rank': 2, 'channels': 64, 'features': 3, 'kernel': 4, 'stride': 4},
        {'length': 100, 'rank': 1, 'channels': 32, 'features': 16, 'kernel': 16, 'stride': 8},
        {'length': 100, 'rank': 1, 'channels': 32, 'features': 1, 'kernel': 1024, 'stride': 256},
        {'length': 2, 'rank': 2, 'channels': 32, 'features': 3, 'kernel': 28, 'stride': 28},
    ],
)
def transposed(length, rank, channels, features, kernel, stride, dtype):
    if (length * stride + kernel) ** rank * features > 1 << 21:
        return None
    names = ('NHC', 'HIO', 'NHC') if rank == 1 else ('NHWC', 'HWIO', 'NHWC')

    def convolve(x, w):
        return jax.lax.conv_transpose(x, w, (stride,) * rank, 'VALID', dimension_numbers=names)
    return convolve, data(dtype, 1, *[length] * rank, channels), data(dtype, *[kernel] * rank, channels, features)
