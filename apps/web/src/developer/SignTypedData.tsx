import { useAccount, useNetwork, useSignTypedData } from '@latchkey/react'
import { useState } from 'react'
import { text } from '../locales/text.ts'
import { parseObject } from './parseJson.ts'
import { Field, Section } from './Section.tsx'
import { typedDataExample } from './typedDataExample.ts'
import { useCall } from './useCall.ts'
import { type SignedMessage, Verified } from './Verified.tsx'

/**
 * Signs typed data and verifies the signature. The example follows the network until the user edits
 * it.
 */
export function SignTypedData() {
  const { address = '' } = useAccount()
  const { network } = useNetwork()
  const { signTypedDataAsync } = useSignTypedData()
  const [edited, setEdited] = useState<string>()
  const source = edited ?? JSON.stringify(typedDataExample(network.id), null, 2)
  const { call, start } = useCall<SignedMessage>(text('dev.waiting'))
  const sign = () =>
    start(async () => {
      const typedData = parseObject(source)
      const signature = await signTypedDataAsync({ typedData })
      const { verifyTypedData } = await import('./verifySignature.ts')
      const verdict = await verifyTypedData({ address, typedData, signature })
      return { signature, address, verdict }
    })
  return (
    <Section
      title={text('dev.typed')}
      detail={text('dev.typedText')}
      submit={text('dev.sign')}
      call={call}
      onSubmit={sign}
      show={Verified}
    >
      <Field label={text('dev.typedField')}>
        <textarea
          className="code"
          rows={12}
          spellCheck={false}
          dir="ltr"
          value={source}
          onChange={(event) => setEdited(event.target.value)}
        />
      </Field>
      {edited !== undefined && (
        <button type="button" className="textButton" onClick={() => setEdited(undefined)}>
          {text('dev.example')}
        </button>
      )}
    </Section>
  )
}
