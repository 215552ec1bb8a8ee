import { start } from './app.tsx';
import { operatorAreas } from './pages/operator/area.ts';
import { Admitted, OperatorFrame } from './pages/operator/frame.tsx';

start({ areas: operatorAreas, Gate: Admitted, Frame: OperatorFrame });
