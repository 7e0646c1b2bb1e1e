import {
  cancelSignIn,
  type PreparedSignIn,
  prepareReviewedSignIn,
  showError,
  showToast,
  type View,
} from '@latchkey/core/internal'
import { isError } from '@latchkey/wire'
import { useEffect, useState } from 'react'
import { useApp } from '../../app/useApp.ts'
import { useRemoteHint } from '../../app/useRemoteHint.ts'
import { useErrorMessage } from '../../errors/errorMessage.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { Picture } from '../../parts/Picture.tsx'
import styles from '../view.module.css'
import own from './SignIn.module.css'

/** After this age, a message is written again, well before the server refuses its nonce. */
const FRESH_MS = 5 * 60_000

type SignInView = Extract<View, { name: 'SIWXSignMessage' | 'ConnectingSiwe' }>

/** Prompts the connected account to sign in. */
export function SIWXSignMessage({ view }: { view: SignInView }) {
  const { caipAddress } = useAccount()
  return <SignIn key={caipAddress} view={view} />
}

export { SIWXSignMessage as ConnectingSiwe }

/**
 * Sign-in views that opened automatically. A wallet with its own screen in this page prompts there,
 * so that a single approval follows the login.
 */
const startedViews = new WeakSet<SignInView>()

function SignIn({ view }: { view: SignInView }) {
  const { isRequired } = view
  const app = useApp()
  const getMessage = useErrorMessage()
  const t = useT()
  const { account, wallet, connector } = useAccount()
  const { metadata } = app.config
  const [pending, setPending] = useState<'sign' | 'cancel'>()
  const Hint = useRemoteHint({ isWanted: pending === 'sign' })
  const { prepared, error, retry } = usePrepared(pending === undefined)
  const sign = async () => {
    setPending('sign')
    try {
      await prepared?.sign()
    } catch (error) {
      if (isError(error, 'SIGNATURE_DECLINED')) showError(app, error)
      else showToast(app, { message: getMessage(error), variant: 'error' })
      setPending(undefined)
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each question
  useEffect(() => {
    if (!prepared || !connector?.traits?.hasLogin || startedViews.has(view)) return
    startedViews.add(view)
    sign()
  }, [prepared, connector, view])
  const cancel = async () => {
    setPending('cancel')
    await cancelSignIn(app).catch(() => setPending(undefined))
  }
  return (
    <div className={styles.column}>
      <div className={styles.hero}>
        <div className={own.logos}>
          <Picture src={metadata.icons[0]} name={metadata.name} size={56} round />
          <Picture src={wallet?.iconUrl} name={wallet?.name ?? ''} size={56} round />
        </div>
        <h3 className={own.text}>{t('siwx.asks', { name: metadata.name || t('siwx.thisApp') })}</h3>
        <p>
          <span>{t('siwx.text')}</span> {isRequired && <span>{t('siwx.required')}</span>}
        </p>
      </div>
      {error === undefined ? (
        // Also before the message is loaded, so that nothing below moves when it appears.
        <details className={own.message}>
          <summary>{t('siwx.message')}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls has to be reached by keys */}
          <pre tabIndex={0} translate="no">
            {prepared?.message}
          </pre>
        </details>
      ) : (
        <p className={styles.problem} role="alert">
          {t('siwx.failed')}
          <br />
          {getMessage(error)}
        </p>
      )}
      {pending === 'sign' && Hint && account && <Hint namespace={account.namespace} />}
      <div className={own.buttons}>
        <Button variant="quiet" busy={pending === 'cancel'} onClick={cancel}>
          {t(pending === 'cancel' ? 'siwx.cancelling' : 'action.cancel')}
        </Button>
        {error === undefined ? (
          <Button busy={!prepared || pending === 'sign'} onClick={sign}>
            {t(pending === 'sign' ? 'siwx.signing' : 'siwx.sign')}
          </Button>
        ) : (
          <Button onClick={retry}>{t('action.tryAgain')}</Button>
        )}
      </div>
    </div>
  )
}

/**
 * The message, prepared before the click, and again before its nonce is too old and after each
 * attempt, which may have used it.
 */
function usePrepared(isWanted: boolean) {
  const app = useApp()
  const [result, setResult] = useState<{ prepared?: PreparedSignIn; error?: unknown }>({})
  const [round, setRound] = useState(0)
  const retry = () => setRound((last) => last + 1)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round prepares again
  useEffect(() => {
    if (!isWanted) return
    let isCurrent = true
    setResult({})
    prepareReviewedSignIn(app).then(
      (prepared) => isCurrent && setResult({ prepared }),
      (error: unknown) => isCurrent && setResult({ error }),
    )
    const timer = setTimeout(retry, FRESH_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [app, isWanted, round])
  return { ...result, retry }
}
