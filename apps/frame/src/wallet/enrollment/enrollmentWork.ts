import type { Identity, Vault } from '../vault.ts'
import type { KeyWork } from '../worker/messages.ts'
import { approveDevice, getMeetingWords, meetDevice, refuseDevice } from './approveEnrollment.ts'
import {
  askEnrollment,
  cancelEnrollment,
  checkEnrollment,
  confirmWords,
} from './requestEnrollment.ts'

type EnrolmentWork = KeyWork<
  'ask' | 'poll' | 'confirm' | 'drop' | 'meet' | 'words' | 'approve' | 'refuse'
>

/** The enrollment tasks: a new device requests the wallet, an old device lets it in. */
export const enrollmentWork = (vault: Vault, who: () => Promise<Identity>): EnrolmentWork => ({
  async ask({ realm }) {
    const own = await who()
    return { askId: await askEnrollment(vault, { ...own, realm: realm ?? own.realm }) }
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
    const words = await getMeetingWords(vault, await who(), askId)
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
