import type { DirectoryWallet } from '@latchkey/wire'
import type { WalletList } from '../state.ts'
import { check, fields, list, number, type Read, text } from '../storageSchema.ts'

/**
 * Reads a list of wallets, from the server or from storage. Parsed by hand, because the first list
 * is drawn before the schemas are loaded. Accepts the same entries as the schema `directoryWallet`,
 * and omits unknown fields.
 */
export const readWalletList: Read<WalletList> = (value) => {
  const { count, wallets } = fields(value)
  check(Number.isSafeInteger(count) && number(count) >= 0)
  return { count: number(count), wallets: list(readWallet)(wallets) }
}

const links = [
  ...([
    'homepage',
    'mobile_link',
    'link_mode',
    'desktop_link',
    'webapp_link',
    'dapp_link',
  ] as const),
  ...(['app_store', 'play_store', 'chrome_store', 'rdns'] as const),
]

const readWallet: Read<DirectoryWallet> = (value) => {
  const wallet = fields(value)
  const { id, name, image_id, chains, order, injected, badge_type } = wallet
  return {
    id: text(id),
    name: text(name),
    image_id: text(image_id),
    chains: list(text)(chains),
    ...Object.fromEntries(
      links.flatMap((link) => (isAbsent(wallet[link]) ? [] : [[link, text(wallet[link])]])),
    ),
    ...(order !== undefined && { order: number(order) }),
    ...(!isAbsent(injected) && { injected: list(readInjected)(injected) }),
    ...(badge_type !== undefined && { badge_type: text(badge_type) }),
  }
}

const isAbsent = (value: unknown) => value === undefined || value === null

const readInjected: Read<{ namespace: string; injected_id: string }> = (value) => {
  const { namespace, injected_id } = fields(value)
  return { namespace: text(namespace), injected_id: text(injected_id) }
}
