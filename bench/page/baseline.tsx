import { useState } from 'react'
import { createRoot } from 'react-dom/client'

/** React alone: what every page of an app pays anyway. */
function Page() {
  const [count, setCount] = useState(0)
  return (
    <button type="button" onClick={() => setCount(count + 1)}>
      {count}
    </button>
  )
}

createRoot(document.getElementById('root') as HTMLElement).render(<Page />)
