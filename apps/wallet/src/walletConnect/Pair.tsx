import { useEffect, useId, useRef, useState } from 'react'
import { Camera } from './Camera.tsx'
import { checkUri } from './checkUri.ts'
import { explain } from './explain.ts'
import type { WalletConnect } from './openWalletConnect.ts'
import { readQr } from './readQr.ts'
import { texts } from './texts.ts'

const silentAfterMs = 20_000

type Step = { kind: 'idle' | 'pairing' } | { kind: 'waiting'; topic: string }

/** Takes an app's link: pasted, scanned, from an image, or from the address that opened the page. */
export function Pair({ walletConnect, opened }: Props) {
  const { step, problem, pair, readImage } = usePairing(walletConnect, opened)
  const [text, setText] = useState('')
  const [scanning, setScanning] = useState(false)
  const id = useId()
  const go = (uri: string) => {
    setScanning(false)
    setText('')
    void pair(uri).then((done) => !done && setText(uri))
  }
  useDroppedImages({ onImage: readImage, onText: go })
  return (
    <form
      className="pair"
      onSubmit={(event) => {
        event.preventDefault()
        go(text)
      }}
    >
      <label htmlFor={id}>{texts.uri}</label>
      <div className="line">
        <input
          id={id}
          className="uri"
          data-testid="uri"
          value={text}
          placeholder="wc:"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          aria-describedby={`${id}-hint ${id}-problem`}
          aria-invalid={problem !== undefined}
          onChange={({ target }) => setText(target.value)}
        />
        <button
          type="submit"
          className="primary"
          data-testid="pair"
          disabled={step.kind === 'pairing'}
        >
          {texts.pair}
        </button>
      </div>
      <p id={`${id}-problem`} role="alert" className="problem" data-testid="uri-problem">
        {problem}
      </p>
      <p role="status" data-testid="pairing">
        {step.kind === 'pairing' && texts.pairing}
        {step.kind === 'waiting' && texts.pairedWaiting}
      </p>
      <div className="line">
        <button
          type="button"
          data-testid="scan"
          aria-pressed={scanning}
          onClick={() => setScanning(!scanning)}
        >
          {scanning ? texts.stopScanning : texts.scan}
        </button>
        <label className="file">
          {texts.image}
          <input
            type="file"
            accept="image/*"
            data-testid="scan-file"
            onChange={({ target }) => {
              const [file] = target.files ?? []
              target.value = ''
              if (file) void readImage(file).then((found) => found && go(found))
            }}
          />
        </label>
      </div>
      <p id={`${id}-hint`} className="hint">
        {texts.uriHint} {texts.imageHint}
      </p>
      {scanning && <Camera onCode={go} />}
    </form>
  )
}

type Props = { walletConnect: WalletConnect; opened: string | undefined }

function usePairing(walletConnect: WalletConnect, opened: string | undefined) {
  const [step, setStep] = useState<Step>({ kind: 'idle' })
  const [problem, setProblem] = useState<string>()
  const openedOnce = useRef(false)
  const pair = async (text: string): Promise<boolean> => {
    const checked = checkUri(text)
    setProblem('problem' in checked ? checked.problem : undefined)
    if ('problem' in checked) return false
    const { wallet, changed } = walletConnect
    if (wallet.sessions().some(({ pairingTopic }) => pairingTopic === checked.topic)) {
      setProblem(texts.usedLink)
      return false
    }
    setStep({ kind: 'pairing' })
    try {
      await wallet.pair(checked.uri)
      setStep({ kind: 'waiting', topic: checked.topic })
      changed()
      return true
    } catch (error) {
      setStep({ kind: 'idle' })
      setProblem(explain(error))
      return false
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: an address opens once
  useEffect(() => {
    if (opened === undefined || openedOnce.current) return
    openedOnce.current = true
    void pair(opened)
  }, [opened])
  const topic = step.kind === 'waiting' ? step.topic : undefined
  useEffect(() => {
    if (topic === undefined) return
    const { wallet, watch } = walletConnect
    const look = () => {
      const asked = [...wallet.proposals(), ...wallet.authRequests(), ...wallet.sessions()]
      if (asked.some(({ pairingTopic }) => pairingTopic === topic)) setStep({ kind: 'idle' })
    }
    look()
    const timer = setTimeout(() => {
      setStep({ kind: 'idle' })
      setProblem(texts.pairedSilent)
    }, silentAfterMs)
    const off = watch(look)
    return () => {
      clearTimeout(timer)
      off()
    }
  }, [walletConnect, topic])
  const readImage = async (file: Blob): Promise<string | undefined> => {
    setProblem(undefined)
    const found = await readQr(file).catch(() => null)
    if (found === null) setProblem(texts.noImage)
    else if (found === undefined) setProblem(texts.noCode)
    return found ?? undefined
  }
  return { step, problem, pair, readImage }
}

/** A pasted or dropped screenshot is read wherever it lands; a link pasted beside every field too. */
function useDroppedImages(on: {
  onImage: (file: Blob) => Promise<string | undefined>
  onText: (text: string) => void
}) {
  const latest = useRef(on)
  latest.current = on
  useEffect(() => {
    const abort = new AbortController()
    const take = (data: DataTransfer | null) => {
      const file = [...(data?.files ?? [])].find(({ type }) => type.startsWith('image/'))
      if (!file) return false
      const { onImage, onText } = latest.current
      void onImage(file).then((text) => text && onText(text))
      return true
    }
    const listen = { signal: abort.signal }
    window.addEventListener(
      'paste',
      (event) => {
        if (take(event.clipboardData)) return event.preventDefault()
        const isField = event.target instanceof HTMLInputElement
        const text = event.clipboardData?.getData('text/plain').trim() ?? ''
        if (!isField && text.startsWith('wc:')) latest.current.onText(text)
      },
      listen,
    )
    window.addEventListener('dragover', (event) => event.preventDefault(), listen)
    window.addEventListener(
      'drop',
      (event) => {
        event.preventDefault()
        take(event.dataTransfer)
      },
      listen,
    )
    return () => abort.abort()
  }, [])
}
