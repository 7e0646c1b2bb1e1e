import type { Identity, Vault } from '../vault.ts'
import type { Works } from '../worker/createKeyWork.ts'
import { approveDevice, meetDevice, refuseDevice, wordsOfMeeting } from './approveEnrollment.ts'
import { askEnrollment, confirmWords, dropAsk, pollEnrolment } from './requestEnrollment.ts'

type EnrolmentWork = Works<
  'ask' | 'poll' | 'confirm' | 'drop' | 'meet' | 'words' | 'approve' | 'refuse'
>

/** A new device asks, an old one lets it in. */
export const enrolmentWork = (vault: Vault, who: () => Promise<Identity>): EnrolmentWork => ({
  ask: async () => ({ askId: await askEnrollment(vault, await who()) }),
  poll: ({ askId }) => pollEnrolment(vault, askId),
  async confirm({ askId }) {
    await confirmWords(vault, askId)
    return {}
  },
  async drop({ askId }) {
    await dropAsk(vault, askId)
    return {}
  },
  async meet({ askId }) {
    await meetDevice(vault, await who(), askId)
    return {}
  },
  async words({ askId }) {
    const words = await wordsOfMeeting(vault, await who(), askId)
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
