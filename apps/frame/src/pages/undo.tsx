import {
  cancelOperatorRecoveryByLinkRoute,
  readUndoLinkRoute,
  undoEmailChangeRoute,
} from '@latchkey/wire'
import { useEffect, useState } from 'react'
import type * as z from 'zod/mini'
import { fill } from '../locales/en.ts'
import { pages } from '../locales/pages.en.ts'
import { getErrorMessage } from '../screens/getErrorMessage.ts'
import { Button } from '../screens/parts/Button.tsx'
import { useWork } from '../screens/parts/useWork.ts'
import { PageResult } from './PageResult.tsx'
import { postWithoutProof } from './postWithoutProof.ts'
import { renderPage } from './renderPage.tsx'
import { isCompleteSecret, takeLinkSecret } from './takeLinkSecret.ts'
import { UnusableLink } from './UnusableLink.tsx'

const t = pages.undo

/** The page of the link in the email to the old address. */
function UndoPage({ secret }: { secret: string }) {
  const [link, setLink] = useState<z.infer<typeof readUndoLinkRoute.result>>()
  const [failure, setFailure] = useState('')
  const [undone, setUndone] = useState('')
  const { busy, problem, run } = useWork()
  useEffect(() => {
    postWithoutProof(readUndoLinkRoute, { secret }).then(setLink, (error: unknown) =>
      setFailure(getErrorMessage(error)),
    )
  }, [secret])
  if (undone) return <PageResult title={t.doneTitle} text={fill(t.done, { email: undone })} />
  if (failure) return <UnusableLink text={failure} />
  return (
    <div className="stack">
      <h1>{t.title}</h1>
      {!link && <div className="skeleton" aria-busy="true" />}
      {link && (
        <>
          <p className="lead">
            {fill(t.lead, { when: new Date(link.changedAtMs).toLocaleString() })}{' '}
            <bdi className="strong">{link.email}</bdi>
          </p>
          <p className="line" role="status" data-level="danger">
            {problem}
          </p>
          <Button
            busy={busy}
            onClick={() =>
              run(async () =>
                setUndone((await postWithoutProof(undoEmailChangeRoute, { secret })).email),
              )
            }
          >
            {t.action}
          </Button>
          <p className="small quiet">
            {fill(t.expires, { hours: Math.ceil(link.expiresInSeconds / 3_600) })}
          </p>
        </>
      )}
    </div>
  )
}

/** The page of the link that stops a recovery by email. */
function CancelPage({ secret }: { secret: string }) {
  const [isCanceled, setCanceled] = useState(false)
  const { busy, problem, run } = useWork()
  const cancel = () =>
    run(async () => {
      await postWithoutProof(cancelOperatorRecoveryByLinkRoute, { secret })
      setCanceled(true)
    })
  if (isCanceled) return <PageResult title={t.stoppedTitle} text={t.stopped} />
  return (
    <div className="stack">
      <h1>{t.stopTitle}</h1>
      <p className="lead">{t.stopLead}</p>
      <p className="line" role="status" data-level="danger">
        {problem}
      </p>
      <Button busy={busy} onClick={cancel}>
        {t.stop}
      </Button>
    </div>
  )
}

const word = takeLinkSecret(window)
const secret = word.replace(/^recovery=/, '')
const Page = secret === word ? UndoPage : CancelPage
renderPage(isCompleteSecret(secret) ? <Page secret={secret} /> : <UnusableLink />)
