/** What one source says about one wallet. `icon` is an SVG text or a data URI. */
export type SourceWallet = {
  readonly name: string
  readonly icon: string
  readonly chains: readonly string[]
  readonly homepage?: string | undefined
  readonly mobile?: string | undefined
  readonly desktop?: string | undefined
  readonly appStore?: string | undefined
  readonly playStore?: string | undefined
  readonly chromeStore?: string | undefined
  readonly rdns?: string | undefined
  readonly injected?: { readonly namespace: string; readonly injected_id: string } | undefined
}

/** A wallet with the name of its source, and the day for which the source vouches (`2026-05-06`). */
export type DatedWallet = SourceWallet & { readonly source: string; readonly checkedAt: string }

const sameWallet: Readonly<Record<string, string>> = {
  bitkeep: 'bitget',
  xdefi: 'ctrl',
  clover: 'clv',
  tally: 'taho',
  tp: 'tokenpocket',
  mew: 'myether',
  myetherwallet: 'myether',
  oneinch: '1inch',
  binancesmart: 'binance',
  argent: 'ready',
  particlenetwork: 'particle',
}

/** The name under which sources are merged: lower-case letters and digits, without the word wallet. */
export function toSlug(name: string): string {
  const plain = name
    .toLowerCase()
    .replace(/wallet/g, '')
    .replace(/[^a-z0-9]/g, '')
  return sameWallet[plain] ?? plain
}
