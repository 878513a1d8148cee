/** Return `fresh` with its equal parts taken from `old`, or `old` itself where all are equal. For plain data only. */
export function share<T>(old: T, fresh: T): T {
  if (Object.is(old, fresh)) return old;
  if (typeof old !== 'object' || typeof fresh !== 'object' || old === null || fresh === null) return fresh;
  if (Array.isArray(old) !== Array.isArray(fresh)) return fresh;
  const before = old as Record<string, unknown>;
  const after = fresh as Record<string, unknown>;
  const names = Object.keys(after);
  const parts = names.map((name) => share(before[name], after[name]));
  const same = names.length === Object.keys(before).length && names.every((name, n) => parts[n] === before[name]);
  if (same) return old;
  if (Array.isArray(fresh)) return parts as T;
  return Object.fromEntries(names.map((name, n) => [name, parts[n]])) as T;
}
