import { getCapabilities } from '@latchkey/core'
import {
  type Contact,
  useApp,
  useConnections,
  useFeatures,
  useModal,
  useSwitchConnection,
} from '@latchkey/react'
import { text } from '../locales/text.ts'

/**
 * Opens the send form, filled in with a contact, for the account in use of the contact's kind of
 * network. Nothing without such an account.
 */
export function ContactsSend({ contact: { name, namespace, address } }: { contact: Contact }) {
  const app = useApp()
  const { open } = useModal()
  const { switchConnectionAsync } = useSwitchConnection()
  const used = useConnections().find((one) => one.isInUse && one.namespace === namespace)
  const { data: areas } = useFeatures({ chainId: used?.chainId })
  if (!used || !getCapabilities(app, { chainId: used.chainId, areas }).send) return null
  const { connectorId } = used
  const send = () =>
    switchConnectionAsync({ connectorId, namespace }).then(
      () => open({ name: 'Send', draft: { amount: '', receiverAddress: address } }),
      // The user has chosen another account meanwhile.
      () => {},
    )
  return (
    <button
      type="button"
      className="button"
      aria-haspopup="dialog"
      aria-label={text('contacts.sendNamed', { name })}
      onClick={send}
    >
      {text('contacts.send')}
    </button>
  )
}
