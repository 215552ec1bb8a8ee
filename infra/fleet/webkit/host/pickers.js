import Gtk from 'gi://Gtk?version=3.0';

/** Closes pickers that WebKit has opened, as for a date: an open one takes all touches and keys. */
export function closePickers(window) {
  const open = [];
  window.forall((child) => {
    if (child instanceof Gtk.Popover && child.get_visible()) open.push(child);
  });
  for (const popover of open) popover.hide();
  if (open.length > 0) window.get_display().sync();
}
