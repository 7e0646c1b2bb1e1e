import type { FrameContext } from '../../context.ts'
import { migration as t } from '../../locales/migration.en.ts'
import { pages } from '../../locales/pages.en.ts'
import type { WalletChoice } from '../../screens/ChoosePhraseScreen.tsx'

/**
 * Returns the wallet whose phrase to export: the wallet that this browser uses or, if there are
 * two, the user's choice. The code names a wallet by its id if it is not the account's own wallet.
 */
export async function choosePhrase({
  keys,
  screenQueue,
}: Pick<FrameContext, 'keys' | 'screenQueue'>): Promise<WalletChoice> {
  const { inUse, other, isMoved } = await keys.do('readWallets', {})
  if (!other) return { ...inUse, label: t.inUse, action: 'export' }
  const describe = (wallet: typeof inUse, isNewer: boolean): WalletChoice => ({
    ...wallet,
    label: isNewer ? t.newWallet : t.oldWallet,
    action: isNewer === isMoved ? 'export' : `export ${wallet.walletId}`,
  })
  const own = describe(inUse, !other.isNewer)
  const { addresses } = other
  if (!addresses) return own
  const choices = [own, describe({ ...other, addresses }, other.isNewer)]
  return screenQueue.show<{ choices: readonly WalletChoice[] }, WalletChoice>({
    view: 'export',
    title: pages.export.title,
    load: async () => (await import('../../screens/ChoosePhraseScreen.tsx')).ChoosePhraseScreen,
    props: { choices },
  })
}
