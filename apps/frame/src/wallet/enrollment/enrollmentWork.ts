import type { VaultIdentity, WalletVault } from '../vault.ts'
import type { KeyWork } from '../worker/messages.ts'
import {
  approveDevice,
  meetDevice,
  readComparisonWords,
  refuseDevice,
} from './approveEnrollment.ts'
import {
  cancelEnrollment,
  checkEnrollment,
  confirmWords,
  requestEnrollment,
} from './requestEnrollment.ts'

type EnrollmentWork = KeyWork<
  'ask' | 'poll' | 'confirm' | 'drop' | 'meet' | 'words' | 'approve' | 'refuse'
>

/** The enrollment tasks: a new device requests the wallet, an old device lets it in. */
export const enrollmentWork = (
  vault: WalletVault,
  who: () => Promise<VaultIdentity>,
): EnrollmentWork => ({
  async ask({ realm }) {
    const own = await who()
    return { askId: await requestEnrollment(vault, { ...own, realm: realm ?? own.realm }) }
  },
  poll: ({ askId }) => checkEnrollment(vault, askId),
  async confirm({ askId }) {
    await confirmWords(vault, askId)
    return {}
  },
  async drop({ askId }) {
    await cancelEnrollment(vault, askId)
    return {}
  },
  async meet({ askId }) {
    await meetDevice(vault, await who(), askId)
    return {}
  },
  async words({ askId }) {
    const words = await readComparisonWords(vault, await who(), askId)
    return words === undefined ? {} : { words }
  },
  async approve({ askId }) {
    await approveDevice(vault, await who(), askId)
    return {}
  },
  async refuse({ askId }) {
    await refuseDevice(vault, askId)
    return {}
  },
})
