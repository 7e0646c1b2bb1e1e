/** The network (CAIP-2) that stands for each namespace in the data. */
export const mainChains: Readonly<Record<string, string>> = {
  eip155: 'eip155:1',
  solana: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  bip122: 'bip122:000000000019d6689c085ae165831e93',
  polkadot: 'polkadot:91b171bb158e2d3848fa23a9f1c25182',
}

/**
 * The facts of one source about one wallet. `icon` is SVG markup or a data URI, absent if the
 * source has no logo that we may use.
 */
export type SourceWallet = {
  readonly name: string
  readonly icon?: string
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

/**
 * A wallet with the name of its source, and the day for which the source vouches (`2026-05-06`).
 */
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
  cryptocomonchain: 'defi',
  kaikas: 'kaia',
  readyx: 'ready',
}

/**
 * The name under which sources are merged: lower-case letters and digits, without the word wallet.
 */
export function toSlug(name: string): string {
  const plain = name
    .toLowerCase()
    .replace(/wallet/g, '')
    .replace(/[^a-z0-9]/g, '')
  return sameWallet[plain] ?? plain
}
