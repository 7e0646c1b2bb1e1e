import { useAccount, useSignMessage } from '@latchkey/react'
import { useState } from 'react'
import { text } from '../locales/text.ts'
import { Field, Section } from './Section.tsx'
import { useCall } from './useCall.ts'
import { type SignedMessage, Verified } from './Verified.tsx'

/** Signs a message and verifies the signature. */
export function SignMessage() {
  const { address = '', account } = useAccount()
  const { signMessageAsync } = useSignMessage()
  const [message, setMessage] = useState<string>(text('dev.messageExample'))
  const { call, start } = useCall<SignedMessage>(text('dev.waiting'))
  const sign = () =>
    start(async () => {
      const signature = await signMessageAsync({ message })
      const { verifyMessage } = await import('./verifySignature.ts')
      const namespace = account?.namespace ?? 'eip155'
      const verdict = await verifyMessage({ namespace, address, message, signature })
      return { signature, address, verdict }
    })
  return (
    <Section
      title={text('dev.message')}
      detail={text('dev.messageText')}
      submit={text('dev.sign')}
      call={call}
      onSubmit={sign}
      show={Verified}
    >
      <Field label={text('dev.messageField')}>
        <textarea rows={3} value={message} onChange={(event) => setMessage(event.target.value)} />
      </Field>
    </Section>
  )
}
