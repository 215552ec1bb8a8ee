import { start } from './app.tsx';
import { areas } from './areas.ts';
import { SignedIn } from './parts/signed-in.tsx';
import { SignedInFrame } from './parts/signed-in-frame.tsx';
import './styles/phone.css';

start({ areas, Gate: SignedIn, Frame: SignedInFrame });
