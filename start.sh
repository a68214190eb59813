while [ ! -x /work/wt/whole/.venv/bin/tilegpu ]; do sleep 3; done; sleep 2
bash /work/wt/w2000/whole.sh > /work/wt/w2000/whole.log 2>&1
