import type { App } from '../app.ts'

/**
 * Searches this browser for the wallets of the namespaces other than EVM; their code loads only
 * now. The provider calls it before the modal or a list of wallets shows; an app without a provider
 * calls it itself. Resolves when each search has finished its first pass.
 */
export function searchWallets({ runtime: { searches } }: App): Promise<unknown> {
  searches.started ??= Promise.all(searches.held.map((search) => search()))
  return searches.started
}

/** Holds a search back until {@link searchWallets}; it runs at once if searches have started. */
export function holdSearch({ runtime: { searches } }: App, search: () => Promise<void>): void {
  if (searches.started) void search()
  else searches.held.push(search)
}
