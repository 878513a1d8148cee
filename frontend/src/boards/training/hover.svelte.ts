/** The step under the pointer: pointed at in one chart, it is shown in all. */

export const hover = $state<{ step: number | null }>({ step: null });
