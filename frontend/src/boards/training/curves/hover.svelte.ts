/** The step under the pointer, which all charts show. */

export const hover = $state<{ step: number | null }>({ step: null });
