import { useRequest } from '@latchkey/react'
import { useState } from 'react'
import { text } from '../locales/text.ts'
import { parseParams } from './parseJson.ts'
import { Field, Section, Value } from './Section.tsx'
import { useCall } from './useCall.ts'

/** Sends any request to the connected wallet and shows what it answers. */
export function RawRequest() {
  const { request } = useRequest()
  const [method, setMethod] = useState('eth_chainId')
  const [params, setParams] = useState('[]')
  const { call, start } = useCall<string>(text('dev.waiting'))
  const send = () =>
    start(async () => {
      const answer = await request({ method: method.trim(), params: parseParams(params) })
      return JSON.stringify(answer, null, 2) ?? 'undefined'
    })
  return (
    <Section
      title={text('dev.raw')}
      detail={text('dev.rawText')}
      submit={text('dev.request')}
      call={call}
      onSubmit={send}
      show={(answer) => <Value name={text('dev.result')} value={answer} />}
    >
      <Field label={text('dev.method')}>
        <input
          className="code"
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
          value={method}
          onChange={(event) => setMethod(event.target.value)}
        />
      </Field>
      <Field label={text('dev.params')}>
        <textarea
          className="code"
          dir="ltr"
          rows={4}
          spellCheck={false}
          value={params}
          onChange={(event) => setParams(event.target.value)}
        />
      </Field>
    </Section>
  )
}
