/**
 * A signal that aborts with the first of `signals` that aborts, and with its reason. Works without
 * `AbortSignal.any`, which Safari has from 17.4 and Chrome from 116.
 */
export function anySignal(signals: readonly AbortSignal[]): AbortSignal {
  if ('any' in AbortSignal) return AbortSignal.any([...signals])
  const controller = new AbortController()
  for (const source of signals as readonly AbortSignal[]) {
    if (source.aborted) controller.abort(source.reason)
    const abort = () => controller.abort(source.reason)
    source.addEventListener('abort', abort, { signal: controller.signal })
  }
  return controller.signal
}

/**
 * Whether a string is a URL. Works without `URL.canParse`, which Safari has from 17 and Chrome from
 * 120.
 */
export function canParseUrl(text: string, base?: string): boolean {
  try {
    return Boolean(new URL(text, base))
  } catch {
    return false
  }
}
