import { useSession } from '@latchkey/react'
import { text } from '../locales/text.ts'
import { Section, Value } from './Section.tsx'
import { useCall } from './useCall.ts'

/** Whether the account has signed in, and the message that it signed. The token is not shown. */
export function Session() {
  const { status, session, signIn, signOutAsync } = useSession()
  const { call, start } = useCall<void>(text('dev.waiting'))
  return (
    <Section
      title={text('dev.session')}
      detail={text('dev.sessionText')}
      submit={text(session ? 'dev.signOut' : 'dev.signIn')}
      call={call}
      onSubmit={() => (session ? start(signOutAsync) : signIn())}
      show={() => null}
    >
      <p role="status">{text(`session.${status}`)}</p>
      {session && <Value name={text('dev.messageField')} value={session.message} />}
    </Section>
  )
}
