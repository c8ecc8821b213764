// The types of np.fft.
/** @typedef {import('../types.js').HloArray} HloArray */
/** @typedef {import('../types.js').ArrayLike} ArrayLike */
/** @typedef {import('../types.js').DType} DType */
/** @typedef {'backward' | 'ortho' | 'forward' | null} Norm which of the two directions divides by the number of elements: the inverse one by default, both by its root, or the forward one */
/** @typedef {{ n?: number | null, axis?: number, norm?: Norm }} AxisOptions n: the axis is cut, or zeros are appended */
/** @typedef {{ s?: number[] | null, axes?: number[] | null, norm?: Norm }} AxesOptions s: a size for each of the axes, -1: its own */
/** @typedef {{ d?: number, dtype?: DType }} FrequencyOptions d: the distance of samples */
/** @typedef {{ axes?: number | number[] | null }} ShiftOptions */
/** @typedef {(a: ArrayLike, n?: number | null | AxisOptions, axis?: number | AxisOptions, norm?: Norm | AxisOptions, options?: AxisOptions) => HloArray} OneAxis */
/** @typedef {(a: ArrayLike, s?: number[] | null | AxesOptions, axes?: number[] | null | AxesOptions, norm?: Norm | AxesOptions, options?: AxesOptions) => HloArray} ManyAxes */
/** @typedef {(n: number, d?: number | FrequencyOptions, dtype?: DType | FrequencyOptions, options?: FrequencyOptions) => HloArray} Frequencies */
/** @typedef {(x: ArrayLike, axes?: number | number[] | null | ShiftOptions, options?: ShiftOptions) => HloArray} Shift */
/** @typedef {'fft' | 'ifft' | 'rfft' | 'irfft' | 'hfft' | 'ihfft'} OneAxisName */
/** @typedef {'fft2' | 'ifft2' | 'rfft2' | 'irfft2' | 'fftn' | 'ifftn' | 'rfftn' | 'irfftn'} ManyAxesName */
/** @typedef {'fftfreq' | 'rfftfreq'} FrequenciesName */
/** @typedef {'fftshift' | 'ifftshift'} ShiftName */
/** @typedef {Record<OneAxisName, OneAxis> & Record<ManyAxesName, ManyAxes> & Record<FrequenciesName, Frequencies> & Record<ShiftName, Shift>} FourierTransforms */
export {};
