"""proto"""
import time, sys
import numpy as np
from shared.solver import kernels as K
from shared.rules.cards import *
CODE={'D':0,'H':1,'C':2,'S':3}
def bit(card): return 1 << ((rank(card)-1)*4+CODE[card[1]])
RULES = 31
def load(table, variant):
    roots=np.zeros((7,16),np.int64); rests=np.zeros((7,16),np.int64); strides=np.zeros(7,np.int64)
    homes=np.zeros(52,np.int64); places=np.zeros(52,np.int64); stock=np.zeros(24,np.int64)
    frame=np.zeros(K.FIELDS,np.int64)
    stride=1
    counts=layer=free=r=l=hid=0
    for i,c in enumerate(table.columns):
        blocks=[(bit(d),0) for d in c.down]
        if c.up:
            run=[bit(d) for d in c.up]
            # split into blocks
            cur=[c.up[0]]
            for d in c.up[1:]:
                if builds_down(d,cur[-1]): cur.append(d)
                else:
                    blocks.append((bit(cur[0]),sum(map(bit,cur[1:])))); cur=[d]
            blocks.append((bit(cur[0]),sum(map(bit,cur[1:]))))
        strides[i]=stride; stride*=len(blocks)+1
        for k,(a,b) in enumerate(blocks,1):
            roots[i,k]=a; rests[i,k]=b
            homes[a.bit_length()-1]=i
            if k<len(blocks): hid|=a|b
        n=len(blocks)
        if n==0: free+=1
        else:
            a,b=blocks[-1]; l|=b
            if n==1 and a&K.KINGS: free+=1; l|=a; n=0
            else: r|=a
        counts|=n<<(4*i); layer+=n*strides[i]
    cyc=table.waste+table.stock[::-1]
    for p,c in enumerate(cyc): stock[p]=bit(c); places[bit(c).bit_length()-1]=p
    w=len(table.waste); n=len(cyc)
    if w%variant.draw==0 or w==n: w=0
    up=sum(bit(c) for f in table.foundations for c in f)
    frame[0]=counts; frame[1]=layer; frame[2]=(1<<n)-1; frame[3]=w
    frame[4]=r; frame[5]=l|up; frame[6]=hid; frame[7]=free; frame[K.ENTRY]=up; frame[K.PARENT]=-1
    return K.Deal(roots,rests,strides,homes,places,stock,variant.draw,RULES), frame
def memory():
    return K.Memory(np.zeros((4096,K.FIELDS),np.int64),np.zeros((2,38416),np.int64),np.zeros((2,38416),np.int64),np.zeros((2,38416),np.int64),np.zeros(38416,np.int64),np.zeros(38416,np.int64),np.zeros(4096,np.int64),np.zeros(K.COUNTERS,np.int64))
M=memory()
def solve(deal,frame,limit=1e18):
    global M
    M=M._replace(table=np.zeros(4096,np.int64))
    st=M.counters[K.STAMP]; M.counters[:]=0; M.counters[K.STAMP]=st
    M.frames[0]=frame
    a=K.start(deal,M)
    t=time.perf_counter()
    while a==K.RUNNING or a==K.TABLE_FULL:
        a=K.search(deal,M,20000)
        if a==K.TABLE_FULL:
            new=np.zeros(M.table.size*8,np.int64); K.rehash(M.table,new); M=M._replace(table=new)
        if time.perf_counter()-t>limit: return -1
    return a
