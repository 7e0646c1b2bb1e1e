import { useRef } from 'react'
import { account } from '../../locales/account.en.ts'
import { questions } from '../../locales/questions.en.ts'
import { Button } from './Button.tsx'
import { ConfirmButton } from './ConfirmButton.tsx'
import { buildPrompt, type PromptContext, toOneLine } from './prompt.ts'

const t = account.devices

/**
 * Shows the words and asks the user whether the other screen shows the same. Confirming hands over
 * or accepts a wallet.
 */
export function CompareWords({
  words,
  name,
  asker,
  busy,
  onAnswer,
}: {
  words: string
  /** The name of the device that requests the wallet. Set on the device that has the wallet. */
  name?: string
  asker: PromptContext
  busy: boolean
  onAnswer: (same: boolean) => void
}) {
  const card = useRef<HTMLDivElement>(null)
  return (
    <div className="stack" ref={card}>
      <p className="words" dir="ltr">
        {words}
      </p>
      <div className="pair">
        <Button kind="quiet" disabled={busy} onClick={() => onAnswer(false)}>
          {t.different}
        </Button>
        <ConfirmButton
          about={card}
          question={askAbout(words, name)}
          {...{ asker, busy }}
          onPress={() => onAnswer(true)}
        >
          {t.same}
        </ConfirmButton>
      </div>
    </div>
  )
}

/** The confirmation in a popup, with the same content. */
function askAbout(words: string, name: string | undefined) {
  const shown = { label: questions.words, value: words }
  if (name === undefined) return buildPrompt(questions.accept, [shown])
  const device = { label: questions.device, text: toOneLine(name) }
  return buildPrompt(questions.letIn, [device, shown])
}
