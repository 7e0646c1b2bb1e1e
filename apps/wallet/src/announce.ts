import { bytesToHex } from '@latchkey/wire'
import * as z from 'zod/mini'
import { createBitcoinWallet } from './extension/bitcoinWallet.ts'
import { injectPolkadot } from './extension/injectedPolkadot.ts'
import { createProvider } from './extension/provider.ts'
import { injectSatsConnect } from './extension/satsConnect.ts'
import { createStandardWallet, registerStandardWallet } from './extension/standardWallet.ts'

// A page's policy may forbid what zod would try to compile.
z.config({ jitless: true })

const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="10" fill="#1f6f5c"/><g fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"><circle cx="15" cy="15" r="6"/><path d="m19.500 19.500 9.500 9.500m-4-4 3.500-3.500"/></g></svg>',
)}`

/**
 * This script's own origin, under the page's name for this machine: browsers keep storage apart by
 * host name.
 */
function findWalletOrigin(): string {
  const url = new URL(import.meta.url)
  const loopback = ['127.0.0.1', 'localhost']
  if (loopback.includes(url.hostname) && loopback.includes(window.location.hostname))
    url.hostname = window.location.hostname
  return url.origin
}

const name = 'Latchkey Development Wallet'

/**
 * Announces the development wallet to this page: by EIP-6963, for Solana and Bitcoin by the Wallet
 * Standard, for Bitcoin in `btc_providers` too, for Polkadot in `injectedWeb3`.
 */
function announce(): void {
  const provider = createProvider(findWalletOrigin())
  const detail = Object.freeze({
    info: Object.freeze({
      uuid: uuid(),
      name,
      icon,
      rdns: 'dev.latchkey.wallet',
    }),
    provider,
  })
  const dispatch = () =>
    window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  window.addEventListener('eip6963:requestProvider', dispatch)
  dispatch()
  registerStandardWallet(createBitcoinWallet(provider, { name, icon }))
  registerStandardWallet(createStandardWallet(provider, { name, icon }))
  injectPolkadot(provider, { name })
  injectSatsConnect(provider, { name, icon })
}

/** UUID version 4. Not `randomUUID`, which pages without TLS lack. */
function uuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytesToHex(bytes)
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

announce()
