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
import { IncompleteLink } from './IncompleteLink.tsx'
import { postWithoutProof } from './postWithoutProof.ts'
import { renderPage } from './renderPage.tsx'
import { isCompleteSecret, takeLinkSecret } from './takeLinkSecret.ts'

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
  if (undone)
    return (
      <p className="lead" role="status">
        {fill(t.done, { email: undone })}
      </p>
    )
  return (
    <div className="stack">
      <h1>{t.title}</h1>
      {failure && (
        <p className="notice" data-level="danger" role="alert">
          {failure}
        </p>
      )}
      {!link && !failure && <div className="skeleton" aria-busy="true" />}
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
  return (
    <div className="stack">
      <h1>{t.stopTitle}</h1>
      <p className="lead" role="status">
        {isCanceled ? t.stopped : t.stopLead}
      </p>
      <p className="line" role="status" data-level="danger">
        {problem}
      </p>
      {!isCanceled && (
        <Button busy={busy} onClick={cancel}>
          {t.stop}
        </Button>
      )}
    </div>
  )
}

const word = takeLinkSecret(window)
const secret = word.replace(/^recovery=/, '')
const Page = secret === word ? UndoPage : CancelPage
renderPage(isCompleteSecret(secret) ? <Page secret={secret} /> : <IncompleteLink />)
