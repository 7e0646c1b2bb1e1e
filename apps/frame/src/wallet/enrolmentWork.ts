import { approveDevice, meetDevice, refuseDevice, wordsOfMeeting } from './approveEnrollment.ts'
import { askEnrollment, pollEnrolment } from './askEnrollment.ts'
import type { Works } from './createKeyWork.ts'
import type { Identity, Vault } from './vault.ts'

type EnrolmentWork = Works<'ask' | 'poll' | 'meet' | 'words' | 'approve' | 'refuse'>

/** A new device asks, an old one lets it in. */
export const enrolmentWork = (vault: Vault, who: () => Promise<Identity>): EnrolmentWork => ({
  ask: async () => ({ asking: await askEnrollment(vault) }),
  poll: ({ asking }) => pollEnrolment(vault, asking),
  meet: async ({ askId }) => ({ meeting: await meetDevice(vault, askId) }),
  words: async ({ meeting }) => (await wordsOfMeeting(vault, await who(), meeting)) ?? {},
  async approve({ meeting }) {
    await approveDevice(vault, await who(), meeting)
    return {}
  },
  async refuse({ askId }) {
    await refuseDevice(vault, askId)
    return {}
  },
})
