import { useId, useState } from 'react'
import type { WalletConnect } from '../openWalletConnect.ts'
import { texts } from '../texts.ts'
import { Camera } from './Camera.tsx'
import { useDrop } from './useDrop.ts'
import { usePairing } from './usePairing.ts'

/**
 * The form for an app's link: pasted, scanned, from an image, or from the address that opened the
 * page.
 */
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
  useDrop({ onImage: readImage, onText: go })
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
