import type { DirectoryWallet } from '@latchkey/wire'
import type { WalletList } from '../state.ts'
import { check, fields, number, type Read, storedList, storedText } from '../storageSchema.ts'

/**
 * Reads a list of wallets, from the server or from storage. Parsed by hand, because the first list
 * is drawn before the schemas are loaded. Accepts the same entries as the schema `directoryWallet`,
 * and omits unknown fields.
 */
export const readWalletList: Read<WalletList> = (value) => {
  const { count, wallets } = fields(value)
  check(Number.isSafeInteger(count) && number(count) >= 0)
  return { count: number(count), wallets: storedList(readWallet)(wallets) }
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
    id: storedText(id),
    name: storedText(name),
    image_id: storedText(image_id),
    chains: storedList(storedText)(chains),
    ...Object.fromEntries(
      links.flatMap((link) => (isAbsent(wallet[link]) ? [] : [[link, storedText(wallet[link])]])),
    ),
    ...(order !== undefined && { order: number(order) }),
    ...(!isAbsent(injected) && { injected: storedList(readInjected)(injected) }),
    ...(badge_type !== undefined && { badge_type: storedText(badge_type) }),
  }
}

const isAbsent = (value: unknown) => value === undefined || value === null

const readInjected: Read<{ namespace: string; injected_id: string }> = (value) => {
  const { namespace, injected_id } = fields(value)
  return { namespace: storedText(namespace), injected_id: storedText(injected_id) }
}
